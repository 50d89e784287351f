import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { LanguageProvider } from '../language/language-provider.tsx';

/** Renders an element with the component library and a query cache, and waits for what it loads at once. */
export const renderInApp = (children: ReactNode) =>
  act(async () =>
    render(
      <MantineProvider>
        <LanguageProvider>
          <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
        </LanguageProvider>
      </MantineProvider>,
    ),
  );
