import { useWindowEvent } from '@mantine/hooks';
import { forgetFailedParts } from '../parts/lazy-part.ts';
import { ErrorState } from './error-state.tsx';

/** In place of a screen that could not be loaded or drawn; the navigation around it stays. */
export const ScreenError = ({ error, reset }: { error: unknown; reset: () => void }) => {
  const retry = () => {
    forgetFailedParts();
    reset();
  };
  useWindowEvent('online', retry);
  return <ErrorState error={error} onRetry={retry} isScreen />;
};
