import { t } from '@lingui/core/macro';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useContext } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { countEmails } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { SenderSheetContext } from '../../email/sender/sender-button.tsx';
import { SENDER_LISTS_KEY } from '../../queries/query-keys.ts';
import { formatShortDate } from '../../time/format-time.ts';
import type { Command } from './commands.ts';

/** Senders and emails that are shown. */
const SHOWN = 5;
/** Shorter texts are in too many senders. */
const MIN_SENDER_LENGTH = 2;
/** Senders come from our database. Unit: milliseconds. */
const SENDER_PAUSE_MS = 150;
/** Each search of emails costs the provider's quota, so it waits for a text that means something, and for a pause in the typing. */
const MIN_SEARCH_LENGTH = 3;
const SEARCH_PAUSE_MS = 400;
/** What was found is found again without a request for so long. Unit: milliseconds. */
const STALE_MS = 60_000;

/** The senders whose name and address have every typed word. */
const useFoundSenders = (text: string): Command[] => {
  const { client } = useApi();
  const openSheet = useContext(SenderSheetContext);
  const [search] = useDebouncedValue(text, SENDER_PAUSE_MS);
  const isSearching = search.length >= MIN_SENDER_LENGTH;
  const { data: found = [] } = useQuery({
    queryKey: [...SENDER_LISTS_KEY, 'found', search],
    queryFn: async ({ signal }) =>
      (await client.listSenders({ query: { search, perPage: SHOWN }, signal })).data,
    enabled: isSearching,
    placeholderData: keepPreviousData,
    staleTime: STALE_MS,
    retry: false,
  });
  if (!isSearching || text === '') return [];
  return found.map(({ id, from, mails }) => {
    const { name, address } = parseSender(from);
    return {
      key: id,
      group: 'Senders',
      name,
      detail: [...(address === name ? [] : [address]), countEmails(mails)].join(' · '),
      run: () => openSheet({ senderId: id, from }),
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
