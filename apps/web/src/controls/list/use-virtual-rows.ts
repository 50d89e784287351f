import { useMediaQuery } from '@mantine/hooks';
import { useRouter } from '@tanstack/react-router';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';

/** Whether a list may focus its active row: the focus is in the list, on the whole screen, or nowhere. */
export const isFocusFree = (list: Element | null): boolean => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return true;
  return list?.contains(focused) === true || focused.matches('#main, #main h1');
};

/** Rows beyond each edge; the same height for both. */
const OVERSCAN_ROWS = { wide: 8, narrow: 4 };

/** On wide screens and on phones. Unit: pixels. */
export interface Heights {
  wide: number;
  narrow: number;
}

/** Scroll offsets by list name and history entry. Unit: pixels. */
const scrolledTo = new Map<string, number>();

/**
 * Renders only the rows in sight, so 10,000 scroll like ten. Keeps the active row in sight and focused, unless the
 * focus is elsewhere. Restores the scroll position.
 *
 * @param input.name - changes with the kind of rows; a list without a name starts at its top
 * @param input.headHeight - height above the rows
 * @param input.isHeadScrolled - whether the head scrolls with the rows
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
    // Keeps the focused row in the document when it scrolls away.
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
    // Opening something over the list makes another entry with the same offset.
    const stop = router.history.subscribe(note);
    return () => {
      list.removeEventListener('scroll', note);
      stop();
    };
  }, [name, router]);

  const shownId = useRef<string | null>(null);
  useEffect(() => {
    if (activeId === null || activeIndex < 0) return;
    // A list starts at its top anyway; scrolling there would cost a slow phone another layout.
    if (shownId.current !== null || (activeIndex > 0 && before === undefined))
      virtualizer.scrollToIndex(activeIndex);
    const row = scroll.current?.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(activeId)}"]`);
    // On a low screen the list itself may be scrolled away. An initially active row does not bring it back.
    if (shownId.current !== null && shownId.current !== activeId) {
      scroll.current?.scrollIntoView({ block: 'nearest' });
    }
    shownId.current = activeId;
    if (row && isFocusFree(scroll.current)) row.focus({ preventScroll: true });
  }, [activeId, activeIndex, virtualizer]);

  return {
    scroll,
    activeIndex,
    /** Index of the last row above the end of the screen. */
    lastRow: virtualizer.range?.endIndex ?? 0,
    /** Includes rows that are not rendered. Unit: pixels. */
    totalHeight: rows.length * rowHeight,
    /** With offsets below the head. Unit: pixels. */
    inSight: virtualizer
      .getVirtualItems()
      .map(({ index, start }) => ({ index, top: start - headHeight[width] })),
  };
};
