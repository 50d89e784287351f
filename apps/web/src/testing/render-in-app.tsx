import { MantineProvider } from '@mantine/core';
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';

/** Draws something with the component library around it, and what it loads at once. */
export const renderInApp = (children: ReactNode) =>
  act(async () => render(<MantineProvider>{children}</MantineProvider>));
