import { useEffect } from 'react';
import { focusFallback } from '../controls/focus-fallback.ts';

const CONTROLS = 'a[href], button:not(:disabled), input:not(:disabled), select';

/** Where the focus is, for when its element goes away. */
interface Place {
  element: Element;
  /** The list that holds it, in which item, and which control of the item it is. */
  list?: { element: Element; item: number; control: number } | undefined;
}

const toPlace = (element: Element): Place => {
  const item = element.closest('#main li');
  const list = item?.parentElement;
  if (!item || !list) return { element };
  return {
    element,
    list: {
      element: list,
      item: [...list.children].indexOf(item),
      control: [...item.querySelectorAll(CONTROLS)].indexOf(element),
    },
  };
};

/** The same control of the item that has moved up, else of the one before. */
const findInList = ({ list }: Place): Element | undefined => {
  if (!list?.element.isConnected) return undefined;
  const item = list.element.children[list.item] ?? list.element.lastElementChild;
  const controls = item?.querySelectorAll(CONTROLS);
  return controls?.[list.control] ?? controls?.[0];
};

const findFallback = (): Element | null =>
  document.querySelector('#main [role=row][tabindex="0"]') ??
  document.querySelector('#main h1') ??
  document.getElementById('main');

/**
 * Leads the focus on when what has it goes away with an email, a toast or a pane. Left to the browser it would fall to
 * the page's beginning.
 */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let last: Place | null = null;
    let lastInMain: Element | null = null;
    let frame = 0;
    const onFocus = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return;
      last = toPlace(target);
      if (target.closest('#main')) lastInMain = target;
    };
    const restore = () => {
      if (!last || last.element.isConnected || document.activeElement !== document.body) return;
      const found = findInList(last) ?? (lastInMain?.isConnected ? lastInMain : findFallback());
      if (found?.matches('h1')) found.setAttribute('tabindex', '-1');
      if (found instanceof HTMLElement) focusFallback(found);
    };
    // What the screen itself does with the focus comes first.
    const observer = new MutationObserver(() => {
      if (document.activeElement !== document.body) return;
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(restore);
    });
    document.addEventListener('focusin', onFocus);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('focusin', onFocus);
      observer.disconnect();
    };
  }, []);
};
