// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that
import { Loader } from '@mantine/core';
import { type MouseEvent, type ReactNode, useEffect } from 'react';
import shapes from '../../shapes.module.css';
import { RetryButton } from '../retry-button.tsx';
import { toRowClick } from './row-click.ts';
import type { Row, Selection } from './selection.ts';
import { useVirtualRows } from './use-virtual-rows.ts';

/** Where a row is, and what the selection says of it. */
export interface RowPlace {
  index: number;
  top: number;
  isActive: boolean;
  isTabStop: boolean;
  isSelected: boolean;
  onClick: (event: MouseEvent, id: string) => void;
}

interface RowGridProps<R extends Row>
  extends Pick<Parameters<typeof useVirtualRows>[0], 'rowHeight' | 'headHeight'> {
  /** Another one where the list has other rows. */
  name: string;
  label: string;
  className: string | undefined;
  rows: readonly R[];
  triage: { selection: Selection } & Record<'selectRangeTo' | 'toggle', (id: string) => void>;
  list: { hasMore: boolean; isLoadingMore: boolean; error: unknown; loadMore: () => void };
  /** The next page is requested when so many rows are left below the screen. */
  prefetchRows: number;
  words: Record<'loading' | 'failed' | 'end', string>;
  /** The names of the columns. */
  head?: ReactNode;
  /** Stands at the end of the list while the next page is not requested by itself. */
  note?: ReactNode;
  onOpen: (id: string) => void;
  children: (row: R, place: RowPlace) => ReactNode;
}

const ListEnd = ({ list, words, note }: Pick<RowGridProps<Row>, 'list' | 'words' | 'note'>) => {
  if (list.isLoadingMore) {
    return (
      <p className={shapes.gridEnd} role="status">
        <Loader size="xs" aria-hidden="true" /> {words.loading}
      </p>
    );
  }
  if (list.error) {
    return (
      <p className={shapes.gridEnd} role="alert">
        {words.failed} <RetryButton onClick={list.loadMore} />
      </p>
    );
  }
  if (note) return <p className={shapes.gridEnd}>{note}</p>;
  return list.hasMore ? null : <p className={shapes.gridEnd}>{words.end}</p>;
};

/** Rows that are worked through by keys and pointer, of which only those in sight exist; further pages follow by themselves. */
export const RowGrid = <R extends Row>(props: RowGridProps<R>) => {
  const { rows, triage, list, head, note, headHeight } = props;
  const { activeId, selectedIds, isSelecting } = triage.selection;
  const { scroll, activeIndex, lastRow, totalHeight, inSight } = useVirtualRows({
    name: props.name,
    rows,
    activeId,
    rowHeight: props.rowHeight,
    ...(headHeight && { headHeight }),
  });
  useEffect(() => {
    if (!note && !list.error && lastRow >= rows.length - props.prefetchRows) list.loadMore();
  });
  const onClick = toRowClick(triage, props.onOpen);
  return (
    <div ref={scroll} className={`${shapes.scroll} ${props.className}`}>
      <div
        role="grid"
        aria-label={props.label}
        aria-multiselectable="true"
        data-selecting={isSelecting || undefined}
        aria-rowcount={list.hasMore ? -1 : rows.length + (head ? 1 : 0)}
      >
        {head}
        <div role="rowgroup" className={shapes.gridRows} style={{ height: totalHeight }}>
          {inSight.map(({ index, top }) => {
            const row = rows[index];
            return (
              row &&
              props.children(row, {
                index,
                top,
                isActive: row.id === activeId,
                isTabStop: index === Math.max(0, activeIndex),
                isSelected: selectedIds.has(row.id),
                onClick,
              })
            );
          })}
        </div>
      </div>
      <ListEnd list={list} words={props.words} note={note} />
    </div>
  );
};
