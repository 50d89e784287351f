import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ApiClient } from '../../api/api-client.ts';

/** Entries of the account's activity that are shown at a time. */
const ENTRIES_PER_PAGE = 10;

/** The browsers in which the user is signed in, this one first. */
export const sessionsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => client.listSessions({ query: { perPage: MAX_PER_PAGE }, signal }),
  });

/** The audit trail, newest first. */
export const auditQuery = (client: ApiClient) =>
  infiniteQueryOptions({
    queryKey: ['audit'],
    queryFn: ({ pageParam, signal }) =>
      client.listAuditEntries({ query: { page: pageParam, perPage: ENTRIES_PER_PAGE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ page, perPage, total }) => (page * perPage < total ? page + 1 : null),
  });
