import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ActionBatch } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { isFocusFree } from '../../controls/list/is-focus-free.ts';
import { Skeleton } from '../../feedback/skeleton.tsx';
import shapes from '../../shapes.module.css';
import { formatDay, toDayKey } from '../../time/format-time.ts';
import type { BatchSelection } from '../undo/use-batch-selection.ts';
import { BatchEntry } from './batch-entry.tsx';
import classes from './batch-list.module.css';
import type { History } from './use-history.ts';

const byDay = (batches: readonly ActionBatch[]): [string, ActionBatch[]][] => [
  ...Map.groupBy(batches, (batch) => toDayKey(new Date(batch.startedAt))),
];

/** The entries under the days they belong to. */
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

/** Grey entries in the places of the real ones. */
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
