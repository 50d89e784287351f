import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createApiClient } from './api/api-client.ts';
import { isTransient } from './api/api-errors.ts';
import { withMailMemory } from './api/mail-memory.ts';
import { App } from './app.tsx';
import { createAppRouter } from './router.tsx';
import { createSessionWatch } from './session/session-watch.ts';
import { readStyleNonce } from './style-nonce.ts';

/** Further tries of a read that failed for a passing reason. */
const MAX_RETRIES = 2;

/** Puts the app together and shows it in place of what the page held so far. */
export const startApp = (input: { apiOrigin: string; fetch: typeof fetch }): void => {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: (count, error) => count < MAX_RETRIES && isTransient(error) } },
  });
  const watch = createSessionWatch({
    queryClient,
    currentPlace: () => window.location.pathname + window.location.search,
    goToSignIn: (reason) => {
      if (window.location.pathname !== '/sign-in')
        void router.navigate({ to: '/sign-in', search: { reason } });
    },
  });
  const client = createApiClient({ ...input, onError: watch });
  const api = { origin: input.apiOrigin, ...withMailMemory(client) };
  const router = createAppRouter({ api, queryClient });
  const container = document.getElementById('root');
  if (!container) throw new Error('The page has no place for the app.');
  createRoot(container).render(
    <App api={api} queryClient={queryClient} router={router} styleNonce={readStyleNonce()} />,
  );
};
