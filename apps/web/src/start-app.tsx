import {
  localStorageColorSchemeManager,
  MantineContext,
  MantineThemeProvider,
  useProviderColorScheme,
} from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { type Api, ApiProvider } from './api/api-context.tsx';
import { createAppClient } from './api/app-client.ts';
import { withDisplayText } from './api/display-text.ts';
import { withEmailCache } from './api/email-cache.ts';
import { isSoonOver, isTransient } from './api/errors.ts';
import { firstResponses } from './api/first-responses.ts';
import { retryUnreached } from './api/retry-unreached.ts';
import { ignoreStrayClicks } from './controls/stray-clicks.ts';
import { ToastOutlet } from './feedback/toast-outlet.tsx';
import { KeyboardProvider } from './keyboard/keyboard-context.tsx';
import { LanguageProvider, RemountOnLanguageChange } from './language/language-provider.tsx';
import { preloadParts } from './lazy-parts/lazy-part.ts';
import { nextTask } from './lazy-parts/when-idle.ts';
import { createAppRouter } from './router.tsx';
import { createSessionWatch, fetchAsUser, watchReturns } from './session/session-watch.ts';
import { goToSignIn } from './session/sign-in-page.ts';
import { theme } from './theme.ts';
import { UndoProvider } from './undo/undo-context.tsx';

const MANTINE_DEFAULTS = {
  getRootElement: () => document.documentElement,
  classNamesPrefix: 'mantine',
  cssVariablesSelector: ':root',
  withStaticClasses: true,
};
const COLOR_SCHEMES = localStorageColorSchemeManager();

/** Mantine's provider without its CSS variables: `styles/theme.css` has them, and a slow phone takes 30 ms to compute them. */
const ThemeProvider = (props: { getStyleNonce: () => string; children: ReactNode }) => {
  const scheme = useProviderColorScheme({
    ...MANTINE_DEFAULTS,
    manager: COLOR_SCHEMES,
    defaultColorScheme: 'auto',
    forceColorScheme: undefined,
  });
  return (
    <MantineContext value={{ ...MANTINE_DEFAULTS, ...scheme, getStyleNonce: props.getStyleNonce }}>
      <MantineThemeProvider theme={theme}>{props.children}</MantineThemeProvider>
    </MantineContext>
  );
};

const App = (props: {
  api: Api;
  queryClient: QueryClient;
  router: ReturnType<typeof createAppRouter>;
  styleNonce: string;
}) => (
  <ThemeProvider getStyleNonce={() => props.styleNonce}>
    <LanguageProvider>
      <ToastOutlet />
      <QueryClientProvider client={props.queryClient}>
        <ApiProvider api={props.api}>
          <KeyboardProvider>
            <UndoProvider>
              <RemountOnLanguageChange>
                <RouterProvider router={props.router} />
              </RemountOnLanguageChange>
            </UndoProvider>
          </KeyboardProvider>
        </ApiProvider>
      </QueryClientProvider>
    </LanguageProvider>
  </ThemeProvider>
);

declare global {
  /** For the style element of the dialogs' scroll lock. */
  var __webpack_nonce__: string | undefined;
}

/** The server's nonce for style elements (W3C CSP Level 3); empty in development. */
const readStyleNonce = (): string => {
  const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]');
  const nonce = meta?.nonce ?? '';
  globalThis.__webpack_nonce__ = nonce;
  return nonce;
};

/** Loads the other parts after the first screen. Unit: milliseconds. */
const PRELOAD_AFTER_MS = 5_000;
/** For reads with a transient error, and requests that were refused for the moment. */
const MAX_RETRIES = 2;

export const startApp = async ({ apiOrigin }: { apiOrigin: string }): Promise<void> => {
  const queryClient = new QueryClient({
    defaultOptions: {
      // A service on the same device needs no network.
      queries: {
        networkMode: 'offlineFirst',
        retry: (count, error) => count < MAX_RETRIES && (isTransient(error) || isSoonOver(error)),
      },
      mutations: {
        networkMode: 'always',
        // Such a request was not carried out.
        retry: (count, error) => count < MAX_RETRIES && isSoonOver(error),
      },
    },
  });
  const watch = createSessionWatch({
    queryClient,
    currentPlace: () => window.location.pathname + window.location.search,
    goToSignIn,
  });
  const { forget } = ignoreStrayClicks(window);
  const onError = (error: unknown) => {
    forget();
    watch(error);
  };
  const client = createAppClient({ apiOrigin, fetch: fetchAsUser, onError });
  watchReturns(client);
  retryUnreached(queryClient, () => client.getMe({}));
  const api = { origin: apiOrigin, ...withEmailCache(withDisplayText(client)) };
  const router = createAppRouter({ api, queryClient });
  const container = document.getElementById('root');
  if (!container) throw new Error('The page has no place for the app.');
  // The splash stays until the first screen can be drawn.
  await nextTask();
  await router.load();
  await firstResponses(queryClient);
  const root = createRoot(container);
  root.render(<App api={api} queryClient={queryClient} router={router} styleNonce={readStyleNonce()} />);
  setTimeout(() => void preloadParts(), PRELOAD_AFTER_MS);
};
