/** Most actions that can be undone by key, newest first; older ones are in the history. */
const MAX_DEPTH = 50;

/** How an undo went. */
export interface UndoOutcome {
  undone: number;
  /** Why the rest was left as it is, in words; empty when nothing was. */
  failures: string;
}

/** Something the user did that can be taken back. */
export interface UndoableAction {
  /** What was done, for example `Archived 6 emails`. */
  label: string;
  undo: () => Promise<UndoOutcome>;
}

/** What can be undone in this tab, newest last. */
export const createUndoStack = () => {
  const actions: UndoableAction[] = [];
  return {
    push: (action: UndoableAction): void => {
      actions.push(action);
      if (actions.length > MAX_DEPTH) actions.shift();
    },
    /** Removes an action: it was undone, or it turned out that there is nothing to undo. */
    remove: (action: UndoableAction): boolean => {
      const index = actions.indexOf(action);
      if (index >= 0) actions.splice(index, 1);
      return index >= 0;
    },
    /** Removes and returns the newest action. */
    takeLast: () => actions.pop(),
  };
};
