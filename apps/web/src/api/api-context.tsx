import type { ApiClient } from '@mailsweep/client';
import type { QueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { EmailCache } from './email-cache.ts';

/** The API as the screens reach it. */
export interface Api {
  origin: string;
  client: ApiClient;
  memory: EmailCache;
}

/** What a screen needs to ask for something before it is drawn. */
export interface PrefetchContext {
  api: Api;
  queryClient: QueryClient;
}

const ApiContext = createContext<Api | null>(null);

export const ApiProvider = ({ api, children }: { api: Api; children: ReactNode }) => (
  <ApiContext value={api}>{children}</ApiContext>
);

/** The API client of the app. @throws outside an ApiProvider */
export const useApi = (): Api => {
  const api = useContext(ApiContext);
  if (!api) throw new Error('useApi needs an ApiProvider above it.');
  return api;
};
