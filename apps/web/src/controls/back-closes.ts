import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useLayoutEffect, useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many dialogs are open over the screen. */
    dialogs?: number;
  }
}

/** Closes the open dialogs; the topmost is last. */
const open: (() => void)[] = [];
/** Adds history entries after the browser has gone back, which is asynchronous; undefined while it does not go back. */
let waiting: (() => void)[] | undefined;

/** Goes back over entries of closed dialogs. */
const leaveEntries = (router: ReturnType<typeof useRouter>): void => {
  const { dialogs = 0 } = router.history.location.state;
  if (waiting || dialogs <= open.length) return;
  const adding: (() => void)[] = [];
  waiting = adding;
  const stop = router.history.subscribe(() => {
    stop();
    waiting = undefined;
    for (const add of adding) add();
  });
  router.history.go(open.length - dialogs);
};

/** Gives an open dialog a history entry, so that Back closes it and keeps the screen. */
export const useBackCloses = (isOpen: boolean, close: () => void): void => {
  // Some tests draw dialogs without a router.
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | undefined;
  const latest = useRef(close);
  latest.current = close;
  // Runs before the browser paints the dialog: until there is an entry, Back leaves the screen.
  useLayoutEffect(() => {
    if (!isOpen || !router) return;
    const closeThis = () => latest.current();
    open.push(closeThis);
    const addEntry = () => {
      const dialogs = open.indexOf(closeThis) + 1;
      if (dialogs === 0) return;
      void router.navigate({
        to: '.',
        search: true,
        hash: true,
        hashScrollIntoView: false,
        // Just closed; its entry is still there.
        replace: (router.history.location.state.dialogs ?? 0) >= dialogs,
        state: (current) => ({ ...current, dialogs }),
      });
    };
    if (waiting) waiting.push(addEntry);
    else addEntry();
    return () => {
      open.splice(open.indexOf(closeThis), 1);
      // Closing may navigate, and then nothing is left to go back over.
      setTimeout(() => leaveEntries(router));
    };
  }, [isOpen, router]);
};

/** Closes dialogs on Back, and skips entries of closed ones. Once for all screens. */
export const useDialogEntries = (): void => {
  const router = useRouter();
  const dialogs = useRouterState({ select: ({ location }) => location.state.dialogs ?? 0 });
  // A render tells that an entry was left, not which one is current.
  useEffect(() => {
    const { dialogs: now = 0 } = router.history.location.state;
    for (const close of open.slice(now).reverse()) close();
    leaveEntries(router);
  }, [dialogs, router]);
};
