import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createApiClient } from './api/api-client.ts';
import { isTransient } from './api/api-errors.ts';
import { withMailMemory } from './api/mail-memory.ts';
import { App } from './app.tsx';
import { createAppRouter } from './router.tsx';
import { fetchRuntimeConfig } from './runtime-config.ts';
import { createSessionWatch } from './session/session-watch.ts';
import { StartFailure } from './start-failure.tsx';
import { readStyleNonce } from './style-nonce.ts';

/** Further tries of a read that failed for a passing reason. */
const MAX_RETRIES = 2;

const start = async (container: HTMLElement) => {
  const root = createRoot(container);
  try {
    const { apiOrigin } = await fetchRuntimeConfig();
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
    const api = { origin: apiOrigin, ...withMailMemory(createApiClient({ apiOrigin, onError: watch })) };
    const router = createAppRouter({ api, queryClient });
    root.render(<App api={api} queryClient={queryClient} router={router} styleNonce={readStyleNonce()} />);
  } catch {
    root.render(<StartFailure />);
  }
};

const container = document.getElementById('root');
if (container) void start(container);
