import { t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import { MAX_PER_PAGE } from '@mailsweep/contracts';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { SENDERS_KEY } from '../../api/query-keys.ts';
import { formatCount } from '../../email/counts.ts';

/** The API does not count opened emails, so look at a sender's newest ones. */
const newestOfSenderQuery = (client: ApiClient, id: string) =>
  queryOptions({
    queryKey: [...SENDERS_KEY, 'newest', id] as const,
    queryFn: async ({ signal }) => {
      const { data } = await client.listSenderEmails({
        params: { id },
        query: { page: 1, perPage: MAX_PER_PAGE },
        signal,
      });
      return { count: data.length, opened: data.filter((email) => email.isRead).length };
    },
    staleTime: 60_000,
  });

/**
 * `You opened none of the last 100 from this sender.` @param count - of the newest emails; `opened` of them are read
 */
export const describeOpened = ({ count, opened }: { count: number; opened: number }): string => {
  if (count === 0) return '';
  if (count === 1)
    return opened === 1
      ? t`It is the only one from this sender, and you opened it.`
      : t`It is the only one from this sender, unopened.`;
  const last = formatCount(count);
  if (opened === 0) return t`You opened none of the last ${last} from this sender.`;
  if (opened === count) return t`You opened all of the last ${last} from this sender.`;
  return t`You opened ${{ opened: formatCount(opened) }} of the last ${last} from this sender.`;
};

/** How the user treats a sender, as a sentence; undefined if unknown. */
export const useSenderFacts = (senderId: string | undefined): string | undefined => {
  const { client } = useApi();
  const { data } = useQuery({
    ...newestOfSenderQuery(client, senderId ?? ''),
    enabled: senderId !== undefined,
  });
  return data && describeOpened(data);
};
