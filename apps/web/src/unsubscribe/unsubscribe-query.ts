import type { ApiClient } from '@mailsweep/client';
import type { Unsubscribe } from '@mailsweep/contracts';
import { queryOptions } from '@tanstack/react-query';
import { SENDERS_KEY } from '../queries/query-keys.ts';

const POLL_MS = 1_500;
/** For so long a request is followed; after that the sender's server has kept it waiting. Unit: milliseconds. */
const FOLLOW_MS = 60_000;

/** Whether what becomes of a request is likely to show soon. */
export const isUnsubscribing = (unsubscribe: Unsubscribe | null | undefined): boolean =>
  unsubscribe?.state === 'requested' && Date.now() - Date.parse(unsubscribe.at ?? '') < FOLLOW_MS;

/** How to unsubscribe from a sender, followed until it is known what became of it. */
export const unsubscribeQuery = (client: ApiClient, id: string) =>
  queryOptions({
    queryKey: [...SENDERS_KEY, 'unsubscribe', id] as const,
    queryFn: ({ signal }) => client.getUnsubscribe({ params: { id }, signal }),
    refetchInterval: ({ state }) => (isUnsubscribing(state.data) ? POLL_MS : false),
  });
