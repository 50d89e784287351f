import { QueryClient } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { createAppClient } from './api/app-client.ts';
import { withDisplayText } from './api/display-text.ts';
import { withEmailCache } from './api/email-cache.ts';
import { isTransient } from './api/error-kinds.ts';
import { App } from './app.tsx';
import { ignoreStrayClicks } from './controls/stray-clicks.ts';
import { preloadParts } from './parts/lazy-part.ts';
import { nextTask } from './parts/next-task.ts';
import { firstResponses } from './queries/first-responses.ts';
import { retryUnreached } from './queries/retry-unreached.ts';
import { createAppRouter } from './router.tsx';
import { createSessionWatch } from './session/session-watch.ts';
import { goToSignIn } from './session/sign-in-page.ts';
import { readStyleNonce } from './style-nonce.ts';

/** When the parts that no screen has needed yet are loaded: after the first screen has what it shows. */
const PRELOAD_AFTER_MS = 5_000;
/** Retries of a read after a transient error. */
const MAX_RETRIES = 2;

/** Puts the app together and shows it in place of what the page held so far. */
export const startApp = async ({ apiOrigin }: { apiOrigin: string }): Promise<void> => {
  const queryClient = new QueryClient({
    defaultOptions: { queries: { retry: (count, error) => count < MAX_RETRIES && isTransient(error) } },
  });
  const watch = createSessionWatch({
    queryClient,
    currentPlace: () => window.location.pathname + window.location.search,
    goToSignIn,
  });
  const client = createAppClient({ apiOrigin, onError: watch });
  retryUnreached(queryClient, () => client.getMe({}));
  const api = { origin: apiOrigin, ...withEmailCache(withDisplayText(client)) };
  const router = createAppRouter({ api, queryClient });
  const container = document.getElementById('root');
  if (!container) throw new Error('The page has no place for the app.');
  // The page shows its own splash until the first screen can be drawn.
  await nextTask();
  await router.load();
  await firstResponses(queryClient);
  ignoreStrayClicks(window);
  const root = createRoot(container);
  root.render(<App api={api} queryClient={queryClient} router={router} styleNonce={readStyleNonce()} />);
  setTimeout(() => void preloadParts(), PRELOAD_AFTER_MS);
};
