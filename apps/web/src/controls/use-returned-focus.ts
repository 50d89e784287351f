import { useEffect, useRef } from 'react';

let fallback: Element | null = null;

/**
 * Focuses an element because the focused one went away; a component that knows a better place may move the focus on.
 */
export const focusFallback = (element: HTMLElement): void => {
  element.focus({ preventScroll: true });
  fallback = element;
};

const isFallback = (element: Element): boolean => element === fallback;

/** Returns the focus after a dialog, unless it has moved on. */
export const useReturnedFocus = (isOpen: boolean): void => {
  const wasOpen = useRef(false);
  const opener = useRef<Element | null>(null);
  // While rendering: the dialog takes the focus before effects run.
  if (isOpen && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = isOpen;
  useEffect(() => {
    if (!isOpen) return;
    return () => {
      const { current } = opener;
      const left = document.activeElement;
      setTimeout(() => {
        const focused = document.activeElement;
        const isFree =
          focused === null || focused === document.body || focused === left || isFallback(focused);
        if (isFree && current instanceof HTMLElement && current.isConnected)
          current.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
};
