import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Sender, Unsubscribe } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { toDistinct, toLoading } from '../api/paged-list.ts';
import { sendersQuery } from '../api/senders-query.ts';
import { ChoiceChip } from '../controls/select.tsx';
import { countEmails, formatCount, formatShare } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { SenderButton } from '../email/sender/sender-button.tsx';
import { formatBytes } from '../email/sizes.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { ProtectedMark } from '../protection/protections.tsx';
import { type SenderFilters, toSortChoices } from '../senders/list/sender-filters.ts';
import shapes from '../shapes.module.css';
import { Timestamp } from '../time/format-time.tsx';
import { describeState, takesRequest } from '../unsubscribe/unsubscribe-words.ts';
import classes from './sender-sheet.module.css';

/** The senders to ask for no more email: one of a mailing list, and one of those in a domain who have the same name. */
const pickAsked = (senders: readonly Sender[], by: 'domain' | 'list'): Sender[] => {
  const newestFirst = senders
    .filter(takesRequest)
    .toSorted((one, other) => other.lastSeen.localeCompare(one.lastSeen));
  const byName = Map.groupBy(newestFirst, ({ from }) => (by === 'list' ? '' : parseSender(from).name));
  return [...byName.values()].flatMap(([newest]) => newest ?? []);
};

const Member = ({ sender }: { sender: Sender }) => {
  const { name, address } = parseSender(sender.from);
  const { unsubscribe } = sender;
  return (
    <li className={classes.member}>
      <SenderButton sender={{ senderId: sender.id, from: sender.from }} name={name}>
        <bdi>{address}</bdi> <ProtectedMark from={sender.from} />
      </SenderButton>
      <span className={classes.note}>
        {countEmails(sender.mails)} · <Trans>{formatShare(1 - sender.unread / sender.mails)} read</Trans> ·{' '}
        <Trans>{formatCount(sender.inInbox)} in the inbox</Trans> · {formatBytes(sender.bytes)} ·{' '}
        <Timestamp value={sender.lastSeen} style="short" />
        {unsubscribe?.state && ` · ${describeState(unsubscribe.state, unsubscribe.error)}`}
        {unsubscribe?.host && (
          <>
            {' '}
            (<bdi>{unsubscribe.host}</bdi>)
          </>
        )}
      </span>
    </li>
  );
};

/** The addresses of a group, and what unsubscribes from them. */
export const GroupMembers = (props: {
  id: string;
  group: NonNullable<Sender['group']>;
  onUnsubscribe: (senders: Sender[]) => void;
}) => {
  const [sort, setSort] = useState<SenderFilters['sort']>();
  const query = useInfiniteQuery({
    ...sendersQuery(useApi().client, { sort, group: props.id }),
    placeholderData: keepPreviousData,
  });
  const { error, hasMore, isLoadingMore, isPending, loadMore, retry } = toLoading(query);
  if (isPending) return <Skeleton height={120} radius={12} />;
  const senders = toDistinct(query.data?.pages, ({ id }) => id);
  if (error && senders.length === 0) return <ErrorState error={error} onRetry={retry} />;
  const asked = pickAsked(senders, props.group.by);
  const count = (isCounted: (unsubscribe: Unsubscribe) => boolean) =>
    formatCount(senders.filter(({ unsubscribe }) => unsubscribe && isCounted(unsubscribe)).length);
  const counts = {
    offers: count(({ method }) => method !== null),
    all: formatCount(props.group.addresses),
    before: count(({ state }) => state !== null),
  };
  return (
    <section className={classes.members} aria-label={t`Addresses`}>
      {senders.some(({ unsubscribe }) => unsubscribe) && (
        <p className={classes.note}>
          <Trans>
            Unsubscribing: {counts.offers} of {counts.all} addresses offer it, {counts.before} asked.
          </Trans>
        </p>
      )}
      {asked.length > 0 && (
        <Button
          variant="default"
          leftSection={<IconMailOff size={16} aria-hidden="true" />}
          onClick={() => props.onUnsubscribe(asked)}
        >
          {plural(asked.length, { one: 'Unsubscribe from # sender', other: 'Unsubscribe from # senders' })}
        </Button>
      )}
      <ChoiceChip name={t`Order`} value={sort} choices={toSortChoices()} onChange={setSort} />
      <ul className={shapes.plainList}>
        {senders.map((sender) => (
          <Member key={sender.id} sender={sender} />
        ))}
      </ul>
      {hasMore && (
        <Button variant="subtle" loading={isLoadingMore} onClick={loadMore}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </section>
  );
};
