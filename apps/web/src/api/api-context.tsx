import type { ApiClient } from '@mailsweep/client';
import type { QueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext } from 'react';
import type { EmailCache } from './email-cache.ts';

export interface Api {
  origin: string;
  client: ApiClient;
  memory: EmailCache;
}

/** Lets a screen request data before it is drawn. */
export interface PrefetchContext {
  api: Api;
  queryClient: QueryClient;
}

const ApiContext = createContext<Api | null>(null);

export const ApiProvider = ({ api, children }: { api: Api; children: ReactNode }) => (
  <ApiContext value={api}>{children}</ApiContext>
);

/** @throws outside an ApiProvider */
export const useApi = (): Api => {
  const api = useContext(ApiContext);
  if (!api) throw new Error('useApi needs an ApiProvider above it.');
  return api;
};
