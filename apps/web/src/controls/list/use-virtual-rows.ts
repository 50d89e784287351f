import { useMediaQuery } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import { isFocusFree } from './is-focus-free.ts';

/** Rows made beyond each edge of the screen: as many pixels of the high ones as of the low ones. */
const OVERSCAN_ROWS = { wide: 8, narrow: 4 };

/** On wide screens and on phones. Unit: pixels. */
interface Heights {
  wide: number;
  narrow: number;
}

/** How far lists were scrolled, by their name and the entry of the history that they were shown under. Unit: pixels. */
const scrolledTo = new Map<string, number>();

/**
 * Rows of which only those in sight exist, so that 10,000 of them scroll like ten. Keeps the active row in sight, and
 * the focus on it while the focus is in the list or nowhere. A list that is come back to is where it was left.
 *
 * @param input.name - of the list, another one where it has other rows; without it, it begins at its top
 * @param input.headHeight - of what is above the rows
 * @param input.isHeadScrolled - whether it scrolls with the rows; else it stays above them
 */
export const useVirtualRows = (input: {
  name?: string;
  rows: readonly { id: string }[];
  activeId: string | null;
  rowHeight: Heights;
  headHeight?: Heights;
  isHeadScrolled?: boolean;
}) => {
  const { name, rows, activeId, headHeight = { wide: 0, narrow: 0 } } = input;
  const scroll = useRef<HTMLDivElement>(null);
  const router = useRouter();
  const isNarrow = useMediaQuery('(max-width: 720px)', undefined, { getInitialValueInEffect: false });
  const width = isNarrow ? 'narrow' : 'wide';
  const rowHeight = input.rowHeight[width];
  const activeIndex = rows.findIndex((row) => row.id === activeId);
  const toEntry = () => `${router.history.location.state.__TSR_key} ${name}`;
  const [before] = useState(() => (name === undefined ? undefined : scrolledTo.get(toEntry())));
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN_ROWS[width],
    initialOffset: before ?? 0,
    scrollMargin: headHeight[width],
    scrollPaddingStart: input.isHeadScrolled ? 0 : headHeight[width],
    // The row that has the focus stays in the document even when it is scrolled away.
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), Math.max(0, activeIndex)])].sort((a, b) => a - b),
  });

  const measuredHeight = useRef(rowHeight);
  useEffect(() => {
    if (measuredHeight.current === rowHeight) return;
    measuredHeight.current = rowHeight;
    virtualizer.measure();
  }, [virtualizer, rowHeight]);

  useEffect(() => {
    const list = scroll.current;
    if (list === null || name === undefined) return;
    const note = () => scrolledTo.set(toEntry(), list.scrollTop);
    list.addEventListener('scroll', note, { passive: true });
    // What is opened over the list is another entry, and has been scrolled as far.
    const stop = router.history.subscribe(note);
    return () => {
      list.removeEventListener('scroll', note);
      stop();
    };
  }, [name, router]);

  const shownId = useRef<string | null>(null);
  useEffect(() => {
    if (activeId === null || activeIndex < 0) return;
    // A list begins at its top by itself; scrolling there would have a slow phone lay out the page once more.
    if (shownId.current !== null || (activeIndex > 0 && before === undefined))
      virtualizer.scrollToIndex(activeIndex);
    const row = scroll.current?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(activeId)}"]`);
    // On a low screen the list itself may be scrolled away; a row that is active from the start does not bring it back.
    if (shownId.current !== null && shownId.current !== activeId) {
      scroll.current?.scrollIntoView({ block: 'nearest' });
    }
    shownId.current = activeId;
    if (row && isFocusFree(scroll.current)) row.focus({ preventScroll: true });
  }, [activeId, activeIndex, virtualizer]);

  return {
    scroll,
    activeIndex,
    /** Rows from the first on that are above the end of the screen. */
    lastRow: virtualizer.range?.endIndex ?? 0,
    /** Of all rows, rendered or not, so that what is below them does not move. Unit: pixels. */
    totalHeight: rows.length * rowHeight,
    /** Each with its index and its place below the head. Unit: pixels. */
    inSight: virtualizer
      .getVirtualItems()
      .map(({ index, start }) => ({ index, top: start - headHeight[width] })),
  };
};
