// biome-ignore-all lint/a11y/useSemanticElements: only the rows in sight exist, placed one by one; a table cannot be that

import { Loader } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import shapes from '../../shapes.module.css';
import { RetryButton } from '../load-buttons.tsx';
import type { Row, Selection } from './selection.ts';
import { type Heights, useVirtualRows } from './use-virtual-rows.ts';

/** The loaded rows, and how to load more. */
interface RowList<R extends Row> {
  /** Changes with the kind of rows, such as their filters. */
  name: string;
  rows: readonly R[];
  hasMore: boolean;
  isLoadingMore: boolean;
  error: unknown;
  loadMore: () => void;
}

interface GridLayout {
  className: string | undefined;
  rowHeight: Heights;
  headHeight?: Heights;
  /** Loads the next page once fewer rows than this are left below the screen. */
  prefetchRows: number;
}

interface GridWords {
  label: string;
  loading: string;
  failed: string;
  end: string;
  /** Ends the list; the next page then waits for `loadMore`. */
  note?: ReactNode;
}

/** Where the grid puts a row, and what the selection says of it. */
export interface RowPlace {
  /** Counted from 1, including the row of column names. */
  rowIndex: number;
  /** Unit: pixels. */
  top: number;
  isActive: boolean;
  isTabStop: boolean;
  isSelected: boolean;
}

const ListEnd = ({ list, words }: { list: RowList<Row>; words: GridWords }) => {
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
  if (words.note) return <p className={shapes.gridEnd}>{words.note}</p>;
  return list.hasMore ? null : <p className={shapes.gridEnd}>{words.end}</p>;
};

/** A list for keys and pointer. Renders only the rows in sight, and loads further pages by itself. */
export const RowGrid = <R extends Row>(props: {
  list: RowList<R>;
  selection: Selection;
  layout: GridLayout;
  words: GridWords;
  /** The row of column names. */
  head?: ReactNode;
  children: (row: R, place: RowPlace) => ReactNode;
}) => {
  const { list, layout, words, head } = props;
  const { rows } = list;
  const { activeId, selectedIds, isSelecting } = props.selection;
  const { rowHeight, headHeight } = layout;
  const virtual = useVirtualRows({ name: list.name, rows, activeId, rowHeight, headHeight });
  useEffect(() => {
    if (!words.note && !list.error && virtual.lastRow >= rows.length - layout.prefetchRows) list.loadMore();
  });
  const headRows = head ? 1 : 0;
  const toPlace = (row: R, index: number, top: number): RowPlace => ({
    rowIndex: index + 1 + headRows,
    top,
    isActive: row.id === activeId,
    isTabStop: index === Math.max(0, virtual.activeIndex),
    isSelected: selectedIds.has(row.id),
  });
  return (
    <div ref={virtual.scroll} className={`${shapes.scroll} ${layout.className}`}>
      <div
        role="grid"
        aria-label={words.label}
        aria-multiselectable="true"
        data-selecting={isSelecting || undefined}
        aria-rowcount={list.hasMore ? -1 : rows.length + headRows}
      >
        {head}
        <div role="rowgroup" className={shapes.gridRows} style={{ height: virtual.totalHeight }}>
          {virtual.inSight.map(({ index, top }) => {
            const row = rows[index];
            return row && props.children(row, toPlace(row, index, top));
          })}
        </div>
      </div>
      <ListEnd list={list} words={words} />
    </div>
  );
};
