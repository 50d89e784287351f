import type { KeptEmail } from '@mailsweep/contracts';
import { useQueries } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { senderEmailsQuery } from '../queries/senders-query.ts';
import type { PendingWork } from './use-sender-triage.ts';

/** The emails that pending work is about, sender by sender; null until all of them are known. */
export const usePendingEmails = (pending: PendingWork | null) => {
  const { client } = useApi();
  const senders = pending && !pending.emails ? pending.senders : [];
  const queries = useQueries({ queries: senders.map((sender) => senderEmailsQuery(client, sender.id)) });
  const loaded = queries.flatMap((query) => (query.data ? [query.data] : []));
  const isKnown = pending !== null && loaded.length === queries.length;
  const emailsOf: (readonly KeptEmail[])[] = pending?.emails ? [pending.emails] : loaded;
  return {
    emailsOf: isKnown ? emailsOf : null,
    error: queries.find((query) => query.error && !query.data)?.error ?? null,
    retry: () => {
      for (const query of queries) if (query.error) void query.refetch();
    },
  };
};
