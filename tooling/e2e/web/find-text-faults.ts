/// <reference lib="dom" />
import type { Page } from 'playwright-core';

/**
 * What is written by others, such as names and subjects, may be cut off, and so may examples and the reasons beside a
 * suggestion, which are spelled out where it is opened. The number beside a title gives way to the buttons there.
 */
const MAY_BE_CUT =
  'bdi, header > [class*=note], [class*=snippet], [class*=account], [class*=example], [class*=second] > [class*=oneLine]';

/**
 * Looks at every text on the screen.
 *
 * @returns the texts that are cut off, and those that another one lies over
 */
export const findTextFaults = (page: Page): Promise<string[]> =>
  page.evaluate((mayBeCut) => {
    interface Box {
      left: number;
      right: number;
      top: number;
      bottom: number;
    }
    const faults: string[] = [];
    const shown: { text: string; box: Box; node: Node; parent: Element }[] = [];
    const overlap = (one: Box, other: Box): Box => ({
      left: Math.max(one.left, other.left),
      right: Math.min(one.right, other.right),
      top: Math.max(one.top, other.top),
      bottom: Math.min(one.bottom, other.bottom),
    });
    const isHidden = (element: Element): boolean => {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (getComputedStyle(at).clipPath !== 'none') return true;
      return !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    };
    const walker = document.createTreeWalker(
      document.querySelector('[role=dialog]') ?? document.body,
      NodeFilter.SHOW_TEXT,
    );
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const text = node.textContent?.trim() ?? '';
      const parent = node.parentElement;
      if (text === '' || !parent || parent.closest('script, style, noscript, option') || isHidden(parent))
        continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      let clip: Box = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
      const box = range.getBoundingClientRect();
      let canBeCut = true;
      for (let at: Element | null = parent; at; at = at.parentElement) {
        const { overflowX, overflowY, display } = getComputedStyle(at);
        if (display === 'inline' || (overflowX === 'visible' && overflowY === 'visible')) continue;
        const edge = at.getBoundingClientRect();
        const isScrolled = [overflowX, overflowY].some((overflow) => /auto|scroll/.test(overflow));
        // What lies outside can be scrolled to.
        canBeCut &&= !isScrolled;
        const isCut = canBeCut && (box.right > edge.right + 1.5 || box.left < edge.left - 1.5);
        const isCutBelow = canBeCut && box.bottom > edge.bottom + 6;
        if ((isCut || isCutBelow) && !parent.closest(mayBeCut)) faults.push(`cut off: ${text}`);
        clip = overlap(clip, edge);
        // What lies over the page is not cut by what it lies over.
        if (getComputedStyle(at).position === 'fixed') break;
      }
      for (const line of range.getClientRects()) {
        const seen = overlap(line, clip);
        if (seen.right - seen.left > 1 && seen.bottom - seen.top > 1)
          shown.push({ text, box: seen, node, parent });
      }
    }
    for (const [index, one] of shown.entries()) {
      for (const other of shown.slice(index + 1)) {
        // A text that ends in dots has two boxes.
        if (one.node === other.node) continue;
        const { left, right, top, bottom } = overlap(one.box, other.box);
        if (right - left <= 2 || bottom - top <= 5) continue;
        // Panes and bars lie over what is below them.
        const layerOf = (element: Element) =>
          element.closest('aside, nav, [role=toolbar], [role=alert], section[class*=card]');
        if (layerOf(one.parent) === layerOf(other.parent))
          faults.push(`overlap: ${one.text} | ${other.text}`);
      }
    }
    return [...new Set(faults)];
  }, MAY_BE_CUT);
