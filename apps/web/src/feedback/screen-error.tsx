import { forgetFailedParts } from '../parts/lazy-part.ts';
import { useWhenOnline } from '../parts/use-when-online.ts';
import { ErrorState } from './error-state.tsx';

/** In place of a screen that could not be loaded or drawn; the navigation around it stays. */
export const ScreenError = ({ error, reset }: { error: unknown; reset: () => void }) => {
  const retry = () => {
    forgetFailedParts();
    reset();
  };
  useWhenOnline(retry);
  return <ErrorState error={error} onRetry={retry} isScreen />;
};
