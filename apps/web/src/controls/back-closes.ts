import { useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** How many dialogs are open over the screen. */
    dialogs?: number;
  }
}

/** How to close the dialogs that are open, the topmost last. */
const open: (() => void)[] = [];
/** What adds entries once the browser has gone back, which takes it a moment; undefined while it does not go. */
let waiting: (() => void)[] | undefined;

/** Goes back over entries whose dialogs are closed. */
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

/** Gives an open dialog an entry in the history, so that Back closes it and stays on the screen. */
export const useBackCloses = (isOpen: boolean, close: () => void): void => {
  // Some tests draw dialogs without addresses.
  const router = useRouter({ warn: false }) as ReturnType<typeof useRouter> | undefined;
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
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
        // It has just been closed, and its entry is still there.
        replace: (router.history.location.state.dialogs ?? 0) >= dialogs,
        state: (current) => ({ ...current, dialogs }),
      });
    };
    if (waiting) waiting.push(addEntry);
    else addEntry();
    return () => {
      open.splice(open.indexOf(closeThis), 1);
      // What closes a dialog may lead elsewhere, and then nothing has to be left.
      setTimeout(() => leaveEntries(router));
    };
  }, [isOpen, router]);
};

/** Closes dialogs when the user goes back; skips the entries of those that are closed. Once for all screens. */
export const useDialogEntries = (): void => {
  const router = useRouter();
  const dialogs = useRouterState({ select: ({ location }) => location.state.dialogs ?? 0 });
  // What is drawn says that an entry was left, not which one is current now.
  useEffect(() => {
    const { dialogs: now = 0 } = router.history.location.state;
    for (const close of open.slice(now).reverse()) close();
    leaveEntries(router);
  }, [dialogs, router]);
};
