import { startTransition } from 'react';
import { createApiClient } from './api/api-client.ts';
import { isTransient } from './api/api-errors.ts';
import { withMailMemory } from './api/mail-memory.ts';
import { App } from './app.tsx';
import { QueryClient } from './libraries.ts';
import { nextTask } from './next-task.ts';
import { createRoot } from './react.ts';
import { createAppRouter } from './router.tsx';
import { createSessionWatch } from './session/session-watch.ts';
import { goToSignIn } from './session/sign-in-page.ts';
import { readStyleNonce } from './style-nonce.ts';

/** Further tries of a read that failed for a passing reason. */
const MAX_RETRIES = 2;

/**
 * How long to wait for what the first screen shows: made once, it is there sooner than first empty and then filled.
 * Unit: milliseconds.
 */
const FIRST_ANSWERS_WAIT_MS = 150;

/** Puts the app together and shows it in place of what the page held so far. */
export const startApp = async (input: { apiOrigin: string; fetch: typeof fetch }): Promise<void> => {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: (count, error) => count < MAX_RETRIES && isTransient(error) } },
  });
  const watch = createSessionWatch({
    queryClient,
    currentPlace: () => window.location.pathname + window.location.search,
    goToSignIn,
  });
  const client = createApiClient({ ...input, onError: watch });
  const api = { origin: input.apiOrigin, ...withMailMemory(client) };
  const router = createAppRouter({ api, queryClient });
  await nextTask();
  const container = document.getElementById('root');
  if (!container) throw new Error('The page has no place for the app.');
  const loadFirstAnswers = async () => {
    await router.load();
    await Promise.allSettled(
      queryClient
        .getQueryCache()
        .getAll()
        .map((query) => query.promise),
    );
  };
  await Promise.race([
    loadFirstAnswers(),
    new Promise((resolve) => setTimeout(resolve, FIRST_ANSWERS_WAIT_MS)),
  ]);
  const root = createRoot(container);
  // As a transition it is made in slices of a few milliseconds, between which the browser can do other work.
  startTransition(() =>
    root.render(<App api={api} queryClient={queryClient} router={router} styleNonce={readStyleNonce()} />),
  );
};
