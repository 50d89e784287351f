// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and buttons take the focus for their cells (ARIA grid pattern)

import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Sender, SenderSort } from '@mailsweep/contracts';
import { IconArchive, IconArrowDown, IconMailOff, IconSparkles, IconTrash } from '@tabler/icons-react';
import { memo } from 'react';
import { ListRow, listRowClasses, RowAction } from '../../controls/list/list-row.tsx';
import { RowGrid, type RowPlace } from '../../controls/list/row-grid.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { describeSender } from '../../email/sender/sender.ts';
import { SenderAvatar } from '../../email/sender/sender-avatar.tsx';
import { formatBytes } from '../../email/sizes.ts';
import { RoundSkeleton, Skeleton } from '../../feedback/skeleton.tsx';
import barClasses from '../../inbox/filters/filter-bar.module.css';
import { SenderMark } from '../../protection/protections.tsx';
import shapes from '../../shapes.module.css';
import { Timestamp } from '../../time/format-time.tsx';
import { canUnsubscribe, describeState } from '../../unsubscribe/unsubscribe-words.ts';
import type { SenderTriage, SenderWork } from '../actions/use-sender-triage.ts';
import filterClasses from './sender-filter-bar.module.css';
import classes from './sender-grid.module.css';
import rowClasses from './sender-row.module.css';
import type { SenderListState } from './use-sender-list.ts';

const ROWS = Array.from({ length: 12 }, (_nothing, index) => index);

export const SenderFilterBarSkeleton = () => (
  <div className={`${shapes.filterBar} ${barClasses.bar}`} aria-hidden="true">
    <div className={barClasses.find}>
      <Skeleton height={34} radius={9} />
    </div>
    <Skeleton height={32} width={104} radius={16} />
    <span className={filterClasses.order}>
      <Skeleton height={32} width={118} radius={16} />
    </span>
  </div>
);

export const SenderGridSkeleton = () => (
  <div className={`${shapes.scroll} ${classes.scroll}`} role="status" aria-label={t`Loading senders`}>
    <div className={rowClasses.columns} />
    {ROWS.map((row) => (
      <div key={row} className={`${listRowClasses.row} ${rowClasses.row}`} data-skeleton>
        <span className={listRowClasses.mark}>
          <RoundSkeleton size={28} />
        </span>
        <span className={rowClasses.who}>
          <Skeleton height={12} width={`${25 + ((row * 13) % 25)}%`} />
        </span>
        <span className={rowClasses.emails}>
          <Skeleton height={8} width={`${90 - row * 7}%`} />
        </span>
      </div>
    ))}
  </div>
);

/** A number in its column; a dash for none. */
const Count = (props: { value: number; unit?: string; className?: string | undefined }) => {
  const { value, unit, className } = props;
  return (
    <span role="gridcell" className={className} data-unit={unit} data-none={value === 0 || undefined}>
      {value === 0 ? '–' : formatCount(value)}
    </span>
  );
};

interface Cells {
  sender: Sender;
  /** Of the sender with the most emails, for the bar. */
  mostEmails: number;
  sort: SenderSort;
}

/** Not rendered again while keys and pointer move about. */
const SenderCells = memo(({ sender, mostEmails, sort }: Cells) => {
  const { title, detail } = describeSender(sender);
  const emails = countEmails(sender.suggested);
  const date = sort === 'lastRead' ? sender.lastRead : sender.lastSeen;
  const read = sender.read === undefined ? undefined : formatCount(sender.read);
  return (
    <>
      <span role="gridcell" className={rowClasses.who} title={sender.from}>
        <span className={`${shapes.oneLine} ${rowClasses.name}`}>
          <bdi>{title}</bdi> <SenderMark email={sender} />
        </span>
        {sender.unsubscribe?.state ? (
          <span className={`${shapes.oneLine} ${rowClasses.address}`} data-state={sender.unsubscribe.state}>
            {describeState(sender.unsubscribe.state, sender.unsubscribe.error)}
            <span className={rowClasses.besideState}>
              {' · '}
              <bdi>{detail}</bdi>
            </span>
          </span>
        ) : (
          detail !== '' && <bdi className={`${shapes.oneLine} ${rowClasses.address}`}>{detail}</bdi>
        )}
      </span>
      <span role="gridcell" className={rowClasses.emails}>
        <span className={rowClasses.track} aria-hidden="true">
          <span
            className={rowClasses.share}
            style={{ inlineSize: `${(sender.mails / mostEmails) * 100}%` }}
          />
        </span>
        <span className={rowClasses.emailCount}>{formatCount(sender.mails)}</span>
        <span className={rowClasses.unit}>{plural(sender.mails, { one: 'email', other: 'emails' })}</span>
        {read !== undefined && <span className="sr-only">{t`, ${{ read }} of them read by Mailsweep`}</span>}
      </span>
      <Count value={sender.inInbox} className={rowClasses.inInbox} />
      <Count value={sender.unread} unit={t`unread`} className={rowClasses.unread} />
      <span role="gridcell" className={rowClasses.size}>
        {formatBytes(sender.bytes)}
      </span>
      <span role="gridcell" className={rowClasses.lastSeen}>
        {date ? <Timestamp value={date} style="short" /> : '–'}
      </span>
      <span role="gridcell" className={rowClasses.suggested}>
        {sender.suggested > 0 && (
          <span
            className={rowClasses.badge}
            title={
              read === undefined
                ? t`${{ emails }} with a suggestion`
                : t`${{ emails }} with a suggestion among ${{ read }} that Mailsweep has read`
            }
          >
            <IconSparkles size={14} role="img" aria-label={t`Suggested:`} />
            <span>
              {formatCount(sender.suggested)}
              {read !== undefined && <span className={rowClasses.ofRead}>{`/${read}`}</span>}
            </span>
          </span>
        )}
      </span>
    </>
  );
});

const SenderActions = ({ sender, triage }: { sender: Sender; triage: SenderTriage }) => {
  const request = (work: SenderWork) => () => triage.request(work, [sender]);
  return (
    <>
      {canUnsubscribe(sender.unsubscribe) && (
        <RowAction
          label={t`Unsubscribe…`}
          icon={IconMailOff}
          onClick={() => triage.askToUnsubscribe([sender])}
        />
      )}
      <RowAction
        label={sender.protected ? t`Protected: not archived` : t`Archive all… (E)`}
        icon={IconArchive}
        isDisabled={sender.protected}
        onClick={request('archive')}
      />
      <RowAction
        label={sender.protected ? t`Protected: not moved to Trash` : t`Trash all… (#)`}
        icon={IconTrash}
        isDisabled={sender.protected}
        onClick={request('delete')}
      />
    </>
  );
};

const SenderRow = (props: Cells & { place: RowPlace; triage: SenderTriage }) => {
  const { sender, mostEmails, sort, place, triage } = props;
  return (
    <ListRow
      row={{
        id: sender.id,
        name: describeSender(sender).title,
        picture: <SenderAvatar from={sender.from} />,
      }}
      place={place}
      triage={triage}
      className={rowClasses.row}
      actions={<SenderActions sender={sender} triage={triage} />}
      onOpen={triage.openSender}
    >
      <SenderCells sender={sender} mostEmails={mostEmails} sort={sort} />
    </ListRow>
  );
};

const LAYOUT = {
  className: classes.scroll,
  // The same heights are in sender-row.module.css.
  rowHeight: { wide: 56, narrow: 72 },
  headHeight: { wide: 36, narrow: 0 },
  prefetchRows: 30,
};

/** Sort orders, descending. */
const SORT_NAMES: Record<SenderSort, MessageDescriptor> = {
  mails: msg`Emails`,
  inInbox: msg`In inbox`,
  unread: msg`Unread`,
  bytes: msg`Size`,
  lastSeen: msg`Last seen`,
  lastRead: msg`Last read`,
  suggested: msg`Suggested`,
};

const Columns = ({ sort, onSort }: { sort: SenderSort; onSort: (sort: SenderSort) => void }) => {
  const columns: [SenderSort, string | undefined][] = [
    ['mails', rowClasses.emails],
    ['inInbox', rowClasses.inInbox],
    ['unread', rowClasses.unread],
    ['bytes', rowClasses.size],
    [sort === 'lastRead' ? sort : 'lastSeen', rowClasses.lastSeen],
    ['suggested', rowClasses.suggested],
  ];
  return (
    <div role="row" aria-rowindex={1} className={rowClasses.columns}>
      <span role="columnheader">
        <span className="sr-only">
          <Trans>Selected</Trans>
        </span>
      </span>
      <span role="columnheader" className={rowClasses.who}>
        <Trans>Sender</Trans>
      </span>
      {columns.map(([column, className]) => (
        <span
          key={className}
          role="columnheader"
          aria-sort={column === sort ? 'descending' : undefined}
          className={className}
        >
          <button type="button" className={rowClasses.sort} onClick={() => onSort(column)}>
            {i18n._(SORT_NAMES[column])}
            {column === sort && <IconArrowDown size={13} aria-hidden="true" />}
          </button>
        </span>
      ))}
    </div>
  );
};

/** The senders, in the order of a column. */
export const SenderGrid = (props: {
  list: SenderListState;
  triage: SenderTriage;
  sort: SenderSort;
  onSort: (sort: SenderSort) => void;
}) => {
  const { list, triage, sort } = props;
  return (
    <RowGrid
      list={{ ...list, name: `senders by ${sort}`, rows: list.senders }}
      selection={triage.selection}
      layout={LAYOUT}
      words={{
        label: t`Senders`,
        loading: t`Loading more senders…`,
        failed: t`More senders could not be loaded.`,
        end: t`That is everyone.`,
      }}
      head={<Columns sort={sort} onSort={props.onSort} />}
    >
      {(sender, place) => (
        <SenderRow
          key={sender.id}
          sender={sender}
          mostEmails={list.mostEmails}
          place={place}
          triage={triage}
          sort={sort}
        />
      )}
    </RowGrid>
  );
};
