import type { ApiClient } from '@mailsweep/client';
import { type Protection, toSenderName, toSenderNames } from '@mailsweep/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../api/api-context.tsx';
import { whenIdle } from '../parts/when-idle.ts';
import { readAllPages } from '../queries/paged-list.ts';
import { PROTECTIONS_KEY } from '../queries/query-keys.ts';

const STALE_MS = 60_000;

/** All protected senders and domains, newest first: there are few. */
export const protectionsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: PROTECTIONS_KEY,
    queryFn: ({ signal }) =>
      whenIdle().then(() => readAllPages((query) => client.listProtections({ query, signal }))),
    staleTime: STALE_MS,
  });

const byName = (protections: readonly Protection[]): Map<string, Protection> =>
  new Map(
    protections.flatMap((protection) => {
      const name = toSenderName(protection.from);
      return name === undefined ? [] : [[name, protection]];
    }),
  );

/** Finds what protects a sender: itself, or its domain. */
export const useFindProtection = (): ((from: string) => Protection | undefined) => {
  const { client } = useApi();
  const { data } = useQuery({ ...protectionsQuery(client), select: byName });
  return useCallback(
    (from) => {
      if (data === undefined || data.size === 0) return undefined;
      const name = toSenderNames(from).find((candidate) => data.has(candidate));
      return name === undefined ? undefined : data.get(name);
    },
    [data],
  );
};
