// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
// biome-ignore-all lint/a11y/useFocusableInteractive: the row takes the focus for its cells (ARIA grid pattern)

import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ProblemError } from '@mailsweep/client';
import { type Email, hasWords, type InboxAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { useInfiniteQuery, useIsMutating, useQueryClient } from '@tanstack/react-query';
import { memo, useMemo } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { toLoading } from '../../api/paged-list.ts';
import { MAILBOX_CHANGE_KEY } from '../../api/query-keys.ts';
import { ListRow, listRowClasses, RowAction } from '../../controls/list/list-row.tsx';
import { RowGrid, type RowPlace } from '../../controls/list/row-grid.tsx';
import { formatCount } from '../../email/counts.ts';
import { EMAIL_ACTIONS, toOffered, toReadChange } from '../../email/email-actions.ts';
import { CATEGORY_NAMES } from '../../email/email-words.ts';
import { parseSender } from '../../email/sender/sender.ts';
import { SenderAvatar } from '../../email/sender/sender-avatar.tsx';
import { formatBytes, formatMegabytes } from '../../email/sizes.ts';
import { ErrorState } from '../../feedback/error-state.tsx';
import { RoundSkeleton, Skeleton, SlowNotice } from '../../feedback/skeleton.tsx';
import { lazyPart } from '../../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../../lazy-parts/part-boundary.tsx';
import { SenderMark } from '../../protection/protections.tsx';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/format-time.tsx';
import { toEmails, toTotal } from '../actions/email-lists.ts';
import type { Triage } from '../actions/use-triage.ts';
import {
  type InboxFilters,
  inboxQuery,
  toFindWords,
  toServerFilters,
  withoutSearch,
} from '../filters/inbox-filters.ts';
import { countConversations } from './conversations.ts';
import classes from './email-grid.module.css';
import rowClasses from './email-row.module.css';

/** The text of a row. */
const toText = ({ from, subject, snippet }: Email): string => `${from} ${subject} ${snippet}`;

export const useEmailList = (filters: InboxFilters) => {
  const queryClient = useQueryClient();
  const options = inboxQuery(useApi().client, toServerFilters(filters));
  const query = useInfiniteQuery(options);
  const isChanging = useIsMutating({ mutationKey: MAILBOX_CHANGE_KEY }) > 0;
  const loaded = useMemo(() => toEmails(query.data), [query.data]);
  const emails = useMemo(() => {
    const words = toFindWords({ find: filters.find });
    return words.length === 0 ? loaded : loaded.filter((email) => hasWords(toText(email), words));
  }, [loaded, filters.find]);
  return {
    name: JSON.stringify(options.queryKey),
    emails,
    loadedCount: loaded.length,
    total: toTotal(query.data),
    ...toLoading(query),
    loadMore: () => {
      // Fetching while emails leave would use an outdated position and total.
      if (!query.hasNextPage || query.isFetching || isChanging) return;
      const haveMoved = queryClient.getQueryState(options.queryKey)?.isInvalidated === true;
      void (haveMoved ? query.refetch() : query.fetchNextPage());
    },
  };
};

export type EmailListState = ReturnType<typeof useEmailList>;

interface ListedEmail {
  email: Email;
  /** Emails of its conversation on the list; undefined for one. */
  conversationCount: number | undefined;
}

/** Not rendered again while keys and pointer move about. */
const EmailCells = memo(({ email, conversationCount }: ListedEmail) => (
  <>
    <span role="gridcell" className={rowClasses.sender} title={email.from}>
      {email.isRead ? (
        <span className={rowClasses.dotSpace} />
      ) : (
        <span className={rowClasses.dot} role="img" aria-label={t`Unread`} />
      )}
      <bdi className={`${shapes.oneLine} ${rowClasses.senderName}`}>{parseSender(email.from).name}</bdi>
      <SenderMark email={email} />
      {conversationCount !== undefined && (
        <span
          className={rowClasses.conversation}
          role="img"
          title={plural(conversationCount, { other: '# emails of this conversation are on the list' })}
          aria-label={plural(conversationCount, { other: '# emails of this conversation are on the list' })}
        >
          {conversationCount}
        </span>
      )}
    </span>
    <span role="gridcell" className={rowClasses.words}>
      <bdi className={`${shapes.oneLine} ${rowClasses.subject}`}>{toSubject(email)}</bdi>
      {email.snippet && <bdi className={`${shapes.oneLine} ${rowClasses.snippet}`}>{email.snippet}</bdi>}
    </span>
    <span
      role="gridcell"
      className={`${shapes.oneLine} ${rowClasses.category}`}
      data-category={email.category}
    >
      {i18n._(CATEGORY_NAMES[email.category])}
    </span>
    <span role="gridcell" className={rowClasses.attachment}>
      {email.hasAttachment && (
        <>
          <IconPaperclip size={14} role="img" aria-label={t`Attachment`} />
          {formatMegabytes(email.attachmentSizeMb)}
        </>
      )}
    </span>
    <span role="gridcell" className={rowClasses.size} title={t`Size of the whole email`}>
      {formatBytes(email.size)}
    </span>
    <span role="gridcell" className={rowClasses.date}>
      <Timestamp value={email.date} sent={email.sentAt} style="short" />
    </span>
  </>
));

const EmailActions = ({ email, triage }: { email: Email; triage: Triage }) =>
  toOffered(toReadChange([email])).map((action) => {
    const { name, icon, keyCap } = EMAIL_ACTIONS[action];
    const label = `${i18n._(name)} (${keyCap})`;
    return (
      <RowAction key={action} label={label} icon={icon} onClick={() => triage.request(action, [email])} />
    );
  });

const toSubject = (email: Email): string => email.subject.trim() || t`(no subject)`;

const EmailRow = (props: ListedEmail & { place: RowPlace; triage: Triage; onOpen: (id: string) => void }) => {
  const { email, triage } = props;
  const request = (action: InboxAction) => () => triage.request(action, [email]);
  return (
    <ListRow
      row={{
        id: email.id,
        name: toSubject(email),
        picture: <SenderAvatar from={email.from} />,
        isUnread: !email.isRead,
      }}
      place={props.place}
      triage={triage}
      className={rowClasses.row}
      actions={<EmailActions email={email} triage={triage} />}
      swipe={{
        right: { name: t`Archive`, run: request('archive') },
        left: { name: t({ message: 'Trash', context: 'verb' }), run: request('delete') },
      }}
      onOpen={props.onOpen}
    >
      <EmailCells email={email} conversationCount={props.conversationCount} />
    </ListRow>
  );
};

const LAYOUT = {
  className: classes.scroll,
  // The same heights are in email-row.module.css.
  rowHeight: { wide: 44, narrow: 80 },
  // Early enough to scroll on, late enough to save the provider's quota.
  prefetchRows: 12,
};

/** Counts the loaded emails with the words, and offers to search more. */
const FoundNote = (props: { list: EmailListState; find: string; onSearch: (words: string) => void }) => {
  const { list, find } = props;
  return (
    <Trans>
      {formatCount(list.emails.length)} of the newest {formatCount(list.loadedCount)} emails say “{find}
      ”.
      <Button size="compact-sm" variant="light" onClick={list.loadMore}>
        Load more
      </Button>
      <Button size="compact-sm" onClick={() => props.onSearch(find.trim())}>
        Search all mail
      </Button>
    </Trans>
  );
};

/** The emails of the inbox. @param props.find - words that filter the loaded emails */
const EmailGrid = (props: {
  list: EmailListState;
  triage: Triage;
  find: string | undefined;
  onSearch: (words: string) => void;
  onOpen: (id: string) => void;
}) => {
  const { list, triage, find } = props;
  const conversations = useMemo(() => countConversations(list.emails), [list.emails]);
  const open = (id: string) => {
    triage.activate(id);
    props.onOpen(id);
  };
  return (
    <RowGrid
      list={{ ...list, rows: list.emails }}
      selection={triage.selection}
      layout={LAYOUT}
      words={{
        label: t`Emails`,
        loading: t`Loading more emails…`,
        failed: t`The next emails could not be loaded.`,
        end: t`That is all.`,
        note: find && list.hasMore && <FoundNote list={list} find={find} onSearch={props.onSearch} />,
      }}
    >
      {(email, place) => (
        <EmailRow
          key={email.id}
          email={email}
          conversationCount={conversations.get(email.threadId ?? '')}
          place={place}
          triage={triage}
          onOpen={open}
        />
      )}
    </RowGrid>
  );
};

const ROWS = Array.from({ length: 14 }, (_nothing, index) => index);

/** Grey rows in the places of the emails. */
const EmailGridSkeleton = () => (
  <div className={`${shapes.scroll} ${classes.scroll}`} role="status" aria-label={t`Loading emails`}>
    <SlowNotice />
    {ROWS.map((row) => (
      <div key={row} className={`${listRowClasses.row} ${rowClasses.row}`} data-skeleton>
        <span className={listRowClasses.mark}>
          <RoundSkeleton size={28} />
        </span>
        <span className={rowClasses.sender}>
          <Skeleton height={12} width={`${55 + ((row * 23) % 40)}%`} />
        </span>
        <span className={rowClasses.words}>
          <Skeleton height={12} width={`${45 + ((row * 31) % 50)}%`} />
        </span>
      </div>
    ))}
  </div>
);

const NothingHere = lazyPart(async () => (await import('./nothing-here.tsx')).NothingHere);
const WrongSearch = lazyPart(async () => (await import('./nothing-here.tsx')).WrongSearch);

/** What the API finds wrong with the search. */
const findSearchError = (error: unknown): string | undefined =>
  error instanceof ProblemError
    ? error.problem.errors?.find(({ path }) => path === 'search')?.message
    : undefined;

export const InboxBody = (props: {
  list: EmailListState;
  triage: Triage;
  filters: InboxFilters;
  onChange: (change: Partial<InboxFilters>) => void;
  onSearch: (words: string) => void;
  onOpen: (id: string) => void;
}) => {
  const { list, triage, filters, onChange, onSearch } = props;
  if (list.isPending) return <EmailGridSkeleton />;
  if (list.error && list.loadedCount === 0) {
    const message = findSearchError(list.error);
    if (message !== undefined && filters.q !== undefined) {
      const clear = () => onChange(withoutSearch(filters));
      return (
        <PartBoundary>
          <WrongSearch q={filters.q} message={message} onClear={clear} />
        </PartBoundary>
      );
    }
    return <ErrorState error={list.error} onRetry={list.retry} />;
  }
  if (list.emails.length === 0 && !list.hasMore) {
    return (
      <PartBoundary>
        <NothingHere filters={filters} onChange={onChange} onSearch={onSearch} />
      </PartBoundary>
    );
  }
  const find = toFindWords(filters).length > 0 ? filters.find : undefined;
  return <EmailGrid list={list} triage={triage} find={find} onSearch={onSearch} onOpen={props.onOpen} />;
};
