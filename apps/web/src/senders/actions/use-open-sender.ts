import type { KeptEmail } from '@mailsweep/contracts';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { senderEmailsQuery } from '../../queries/senders-query.ts';

const NOTHING: readonly KeptEmail[] = [];

/** The emails of the sender beside the list, and which of them are left out of what is done to all of them. */
export const useOpenSender = (id: string | undefined) => {
  const { client } = useApi();
  const options = senderEmailsQuery(client, id ?? '');
  const query = useQuery({ ...options, queryFn: id === undefined ? skipToken : options.queryFn });
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setLeftOut(new Set()), [id]);
  const emails = query.data ?? NOTHING;
  const chosen = useMemo(() => emails.filter((email) => !leftOut.has(email.id)), [emails, leftOut]);
  return {
    id,
    emails,
    chosen,
    leftOut,
    toggleEmail: (emailId: string) =>
      setLeftOut((current) => {
        const next = new Set(current);
        if (!next.delete(emailId)) next.add(emailId);
        return next;
      }),
    isPending: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
};

export type OpenSender = ReturnType<typeof useOpenSender>;
