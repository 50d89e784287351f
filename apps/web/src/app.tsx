import { MantineProvider } from '@mantine/core';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type Api, ApiProvider } from './api/api-context.tsx';
import { ToastOutlet } from './feedback/toast-outlet.tsx';
import { KeyboardProvider } from './keyboard/keyboard-context.tsx';
import { LanguageProvider, RemountOnLanguageChange } from './language/language-provider.tsx';
import type { createAppRouter } from './router.tsx';
import { theme } from './theme.ts';
import { UndoProvider } from './undo/undo-context.tsx';

/** Everything that the screens need around them. */
export const App = (props: {
  api: Api;
  queryClient: QueryClient;
  router: ReturnType<typeof createAppRouter>;
  styleNonce: string;
}) => (
  <MantineProvider
    theme={theme}
    defaultColorScheme="auto"
    getStyleNonce={() => props.styleNonce}
    // They are in `styles/theme.css`; computing them at the start is slow on a phone.
    withCssVariables={false}
    withGlobalClasses={false}
  >
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
  </MantineProvider>
);
