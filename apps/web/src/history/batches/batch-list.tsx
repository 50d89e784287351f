import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ActionBatch, RecordedAction } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconCheck, IconChevronRight, IconTag, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { isFocusFree } from '../../controls/list/use-virtual-rows.ts';
import { EMAIL_ACTIONS } from '../../email/email-actions.ts';
import { Skeleton } from '../../feedback/skeleton.tsx';
import shapes from '../../shapes.module.css';
import { formatDay, Timestamp, toDayKey } from '../../time/format-time.tsx';
import type { History } from '../filters/history-filters.ts';
import { describeBatch, describeState, SenderNames, SOURCE_WORDS } from '../filters/history-words.tsx';
import { type BatchSelection, canUndo } from '../undo/use-undo-history.ts';
import classes from './batch-list.module.css';
import { BatchSenders } from './batch-senders.tsx';

const OTHER_ICONS = { label: IconTag, accept: IconCheck, reject: IconX };
const toIcon = (action: RecordedAction) =>
  action === 'label' || action === 'accept' || action === 'reject'
    ? OTHER_ICONS[action]
    : EMAIL_ACTIONS[action].icon;

/** One action: what, from where, its state and time. Its emails open below, by sender. */
const BatchEntry = (props: { batch: ActionBatch; search: string | undefined; selection: BatchSelection }) => {
  const { batch, search, selection } = props;
  const Icon = toIcon(batch.action);
  const state = describeState(batch);
  const title = describeBatch(batch);
  const isOpen = selection.openKeys.has(batch.id);
  const isUndoable = canUndo(batch);
  return (
    <li className={classes.entry} data-active={batch.id === selection.activeKey || undefined}>
      <div className={classes.line}>
        <label className={shapes.tick}>
          <input
            type="checkbox"
            checked={selection.selectedKeys.has(batch.id)}
            disabled={!isUndoable}
            onChange={() => selection.toggle(batch.id)}
            aria-label={t`Select: ${title}`}
          />
        </label>
        <span className={classes.sign} data-action={batch.action} aria-hidden="true">
          <Icon size={18} stroke={1.7} />
        </span>
        <button
          type="button"
          className={classes.words}
          data-entry-title
          aria-expanded={isOpen}
          onClick={() => {
            selection.activate(batch.id);
            selection.toggleOpen(batch.id);
          }}
        >
          <span className={classes.title}>
            {title}
            <IconChevronRight size={15} className={classes.chevron} aria-hidden="true" />
          </span>
          <span className={`${shapes.oneLine} ${classes.senders}`}>
            <SenderNames batch={batch} />
          </span>
        </button>
        <span className={classes.source}>{i18n._(SOURCE_WORDS[batch.source])}</span>
        <span className={classes.state} data-tone={state.tone}>
          {state.words}
        </span>
        <Timestamp value={batch.startedAt} style="clock" className={classes.time} />
        <Button
          size="compact-sm"
          variant="default"
          className={classes.undo}
          disabled={!isUndoable}
          leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
          onClick={() => selection.undoBatch(batch)}
          aria-label={t`Undo: ${title}`}
        >
          <Trans>Undo</Trans>
        </Button>
      </div>
      {isOpen && <BatchSenders batch={batch} search={search} selection={selection} />}
    </li>
  );
};

const byDay = (batches: readonly ActionBatch[]): [string, ActionBatch[]][] => [
  ...Map.groupBy(batches, (batch) => toDayKey(new Date(batch.startedAt))),
];

export const BatchList = (props: {
  history: History;
  search: string | undefined;
  selection: BatchSelection;
}) => {
  const { history, search, selection } = props;
  const scroll = useRef<HTMLDivElement>(null);
  const { activeKey } = selection;
  useEffect(() => {
    if (activeKey === null) return;
    const entry = scroll.current?.querySelector<HTMLElement>('[data-active] [data-entry-title]');
    if (isFocusFree(scroll.current)) entry?.focus({ preventScroll: true });
    entry?.scrollIntoView({ block: 'nearest' });
  }, [activeKey]);
  const now = new Date();
  return (
    <div ref={scroll} className={shapes.scroll}>
      {byDay(history.batches).map(([day, batches]) => (
        <section key={day}>
          <h2 className={classes.day}>{formatDay(new Date(batches[0]?.startedAt ?? now), now)}</h2>
          <ul className={shapes.plainList}>
            {batches.map((batch) => (
              <BatchEntry key={batch.id} batch={batch} search={search} selection={selection} />
            ))}
          </ul>
        </section>
      ))}
      <p className={classes.end}>
        {history.hasMore ? (
          <Button variant="default" loading={history.isLoadingMore} onClick={history.loadMore}>
            <Trans>Look further back</Trans>
          </Button>
        ) : (
          t`That is where your history begins.`
        )}
      </p>
    </div>
  );
};

const ROWS = Array.from({ length: 7 }, (_nothing, index) => index);

export const HistorySkeleton = () => (
  <div className={shapes.scroll} role="status" aria-label={t`Loading the history`}>
    {ROWS.map((row) => (
      <div key={row} className={classes.skeletonRow}>
        <Skeleton height={36} width={36} radius={10} />
        <Skeleton height={13} width={`${30 + ((row * 13) % 25)}%`} />
      </div>
    ))}
  </div>
);
