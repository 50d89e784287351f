import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { countEmails } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { sendersQuery } from '../../queries/senders-query.ts';
import { formatShortDate } from '../../time/format-time.ts';
import { type Command, toWords } from './commands.ts';

/** Senders and emails that are shown. */
const SHOWN = 5;
/** Shorter texts are in too many senders. */
const MIN_SENDER_LENGTH = 2;
/** Each search costs the provider's quota, so it waits for a text that means something, and for a pause in the typing. */
const MIN_SEARCH_LENGTH = 3;
const SEARCH_PAUSE_MS = 400;
/** What was found is found again without a request for so long. Unit: milliseconds. */
const STALE_MS = 60_000;

/** The senders whose name or address has every typed word. */
const useFoundSenders = (text: string): Command[] => {
  const { client } = useApi();
  const navigate = useNavigate();
  const isSearching = text.length >= MIN_SENDER_LENGTH;
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery({
    ...sendersQuery(client, 'mails'),
    enabled: isSearching,
  });
  const found = useMemo(() => {
    const words = toWords(text);
    const senders = new Map(
      data?.pages.flatMap((page) => page.data.map((sender) => [sender.id, sender] as const)),
    );
    return [...senders.values()]
      .filter(({ from }) => words.every((word) => from.toLowerCase().includes(word)))
      .slice(0, SHOWN);
  }, [data, text]);
  // The API has no search for senders; their pages come from our database and cost no quota.
  useEffect(() => {
    if (isSearching && found.length < SHOWN && hasNextPage && !isFetching && !error) void fetchNextPage();
  });
  if (!isSearching) return [];
  return found.map(({ id, from, mails }) => {
    const { name, address } = parseSender(from);
    return {
      key: id,
      group: 'Senders',
      name,
      detail: [...(address === name ? [] : [address]), countEmails(mails)].join(' · '),
      run: () => void navigate({ to: '/senders', search: { sender: id } }),
    };
  });
};

/** The newest emails that a search of the whole mailbox finds, and the way to all of them. */
const useFoundEmails = (text: string): Command[] => {
  const { client } = useApi();
  const navigate = useNavigate();
  const [search] = useDebouncedValue(text, SEARCH_PAUSE_MS);
  const { data } = useQuery({
    queryKey: ['found-emails', search],
    queryFn: ({ signal }) => client.listEmails({ query: { search, scope: 'all', pageSize: SHOWN }, signal }),
    enabled: search.length >= MIN_SEARCH_LENGTH && search === text,
    staleTime: STALE_MS,
    // A search that is still being typed may be wrong.
    retry: false,
  });
  if (text === '') return [];
  const open = (email?: string) =>
    void navigate({ to: '/inbox', search: { q: text, scope: 'all', ...(email && { email }) } });
  return [
    { key: 'all', group: 'Search', name: t`Search emails for “${text}”`, run: () => open() },
    ...(search === text ? (data?.emails ?? []) : []).map(({ id, from, subject, date }) => ({
      key: id,
      group: 'Emails' as const,
      name: subject.trim() || t`(no subject)`,
      detail: `${parseSender(from).name} · ${formatShortDate(new Date(date), new Date())}`,
      run: () => open(id),
    })),
  ];
};

/** Senders and emails for the text of the command palette. */
export const useFoundMail = (text: string): Command[] => {
  const trimmed = text.trim();
  const senders = useFoundSenders(trimmed);
  const [search, ...emails] = useFoundEmails(trimmed);
  return [...(search ? [search] : []), ...senders, ...emails];
};
