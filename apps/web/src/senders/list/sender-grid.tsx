// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
// biome-ignore-all lint/a11y/useFocusableInteractive: the buttons in the column names take the focus (ARIA grid pattern)
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { SenderSort } from '@mailsweep/contracts';
import { IconArrowDown } from '@tabler/icons-react';
import { RowGrid } from '../../controls/list/row-grid.tsx';
import type { SenderTriage } from '../actions/use-sender-triage.ts';
import classes from './sender-grid.module.css';
import rowClasses from './sender-row.module.css';
import { SenderRow } from './sender-row.tsx';
import type { SenderListState } from './use-sender-list.ts';

/** Heights of a row and of the column names. Unit: pixels; the same numbers are in sender-row.module.css. */
const ROW_HEIGHT = { wide: 56, narrow: 72 };
const HEAD_HEIGHT = { wide: 36, narrow: 0 };
const PREFETCH_ROWS = 30;

/** What senders can be ordered by, the most first. */
const SORT_NAMES: Record<SenderSort, MessageDescriptor> = {
  mails: msg`Emails`,
  unread: msg`Unread`,
  bytes: msg`Size`,
  lastSeen: msg`Last seen`,
  suggested: msg`Suggested`,
};

const SortColumn = (props: {
  sort: SenderSort;
  current: SenderSort;
  onSort: (sort: SenderSort) => void;
  className?: string | undefined;
}) => {
  const { sort, current } = props;
  return (
    <span
      role="columnheader"
      aria-sort={sort === current ? 'descending' : undefined}
      className={props.className}
    >
      <button type="button" className={rowClasses.sort} onClick={() => props.onSort(sort)}>
        {i18n._(SORT_NAMES[sort])}
        {sort === current && <IconArrowDown size={13} aria-hidden="true" />}
      </button>
    </span>
  );
};

const Columns = ({ sort, onSort }: { sort: SenderSort; onSort: (sort: SenderSort) => void }) => {
  const shared = { current: sort, onSort };
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
      <SortColumn sort="mails" className={rowClasses.emails} {...shared} />
      <span role="columnheader" className={rowClasses.inInbox}>
        <Trans>In inbox</Trans>
      </span>
      <SortColumn sort="unread" className={rowClasses.unread} {...shared} />
      <SortColumn sort="bytes" className={rowClasses.size} {...shared} />
      <SortColumn sort="lastSeen" className={rowClasses.lastSeen} {...shared} />
      <SortColumn sort="suggested" className={rowClasses.suggested} {...shared} />
    </div>
  );
};

/** The senders as a grid of which only the rows in sight exist. */
export const SenderGrid = (props: {
  list: SenderListState;
  triage: SenderTriage;
  sort: SenderSort;
  onSort: (sort: SenderSort) => void;
}) => {
  const { list, triage, sort } = props;
  return (
    <RowGrid
      name={`senders by ${sort}`}
      label={t`Senders`}
      className={classes.scroll}
      rows={list.senders}
      triage={triage}
      list={list}
      rowHeight={ROW_HEIGHT}
      headHeight={HEAD_HEIGHT}
      prefetchRows={PREFETCH_ROWS}
      words={{
        loading: t`Loading more senders…`,
        failed: t`More senders could not be loaded.`,
        end: t`That is everyone.`,
      }}
      head={<Columns sort={sort} onSort={props.onSort} />}
      onOpen={triage.openSender}
    >
      {(sender, place) => (
        <SenderRow key={sender.id} sender={sender} mostEmails={list.mostEmails} triage={triage} {...place} />
      )}
    </RowGrid>
  );
};
