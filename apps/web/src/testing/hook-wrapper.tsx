import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiProvider } from '../api/api-context.tsx';
import { createAppClient } from '../api/app-client.ts';
import { withEmailCache } from '../api/email-cache.ts';
import { KeyboardProvider } from '../keyboard/keyboard-context.tsx';
import { LanguageProvider } from '../language/language-provider.tsx';
import { UndoProvider } from '../undo/undo-context.tsx';

const ORIGIN = 'https://api.example.org';

/**
 * The app's surroundings of screens and hooks: toasts, a query cache, keys, undo, and an API that this function
 * implements.
 */
export const createHookWrapper = (fetch: typeof globalThis.fetch, queryClient = new QueryClient()) => {
  const api = { origin: ORIGIN, ...withEmailCache(createAppClient({ apiOrigin: ORIGIN, fetch })) };
  return ({ children }: { children: ReactNode }) => (
    <MantineProvider env="test">
      <LanguageProvider>
        <Notifications />
        <QueryClientProvider client={queryClient}>
          <ApiProvider api={api}>
            <KeyboardProvider>
              <UndoProvider>{children}</UndoProvider>
            </KeyboardProvider>
          </ApiProvider>
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  );
};
