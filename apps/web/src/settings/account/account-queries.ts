import type { ApiClient } from '@mailsweep/client';
import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { queryOptions } from '@tanstack/react-query';
import { pagedQuery } from '../../api/paged-list.ts';

const ENTRIES_PER_PAGE = 10;

/** The user's sessions, this one first. */
export const sessionsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => client.listSessions({ query: { perPage: MAX_PER_PAGE }, signal }),
  });

/** The audit trail, newest first. */
export const auditQuery = (client: ApiClient) =>
  pagedQuery(['audit'], (page, signal) => client.listAuditEntries({ query: page, signal }), {
    perPage: ENTRIES_PER_PAGE,
  });
