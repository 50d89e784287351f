import { useEffect, useRef } from 'react';
import { isFallback } from './focus-fallback.ts';

/** Gives the focus back to what had it before a dialog opened, unless it has gone elsewhere since. */
export const useReturnedFocus = (isOpen: boolean): void => {
  const wasOpen = useRef(false);
  const opener = useRef<Element | null>(null);
  // While drawing: the dialog takes the focus before effects run.
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
