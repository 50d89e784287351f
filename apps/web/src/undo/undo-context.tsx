import { t } from '@lingui/core/macro';
import { createContext, type ReactNode, useContext, useMemo } from 'react';
import { toClause } from '../api/errors.ts';
import { countEmails } from '../email/counts.ts';
import { showToast, toFailure, updateToast } from '../feedback/toasts.tsx';

/** Older ones are in the history. */
const MAX_DEPTH = 50;

export interface UndoOutcome {
  undone: number;
  /** Why the rest was left out; may be empty. */
  failures: string;
}

export interface UndoableAction {
  /** For example `Archived 6 emails`. */
  label: string;
  undo: () => Promise<UndoOutcome>;
}

/** Undoable actions of this tab, newest last. */
export const createUndoStack = () => {
  const actions: UndoableAction[] = [];
  return {
    push: (action: UndoableAction): void => {
      actions.push(action);
      if (actions.length > MAX_DEPTH) actions.shift();
    },
    /** Removes an action that was undone, or has nothing to undo. */
    remove: (action: UndoableAction): boolean => {
      const index = actions.indexOf(action);
      if (index >= 0) actions.splice(index, 1);
      return index >= 0;
    },
    takeLast: () => actions.pop(),
  };
};

const createUndo = () => {
  const stack = createUndoStack();
  const execute = async (action: UndoableAction) => {
    const toast = showToast({ title: t`Undoing…`, tone: 'working' });
    try {
      const { undone, failures } = await action.undo();
      updateToast(toast, {
        title: undone > 0 ? t`Undone: ${countEmails(undone)} put back` : t`Nothing could be undone`,
        detail: failures,
        tone: failures ? 'failed' : 'done',
      });
    } catch (error) {
      stack.push(action);
      updateToast(toast, {
        ...toFailure(error, (title) => t`Not undone: ${{ why: toClause(title) }}`),
        action: { label: t`Try again`, run: () => void run(action) },
      });
    }
  };
  const run = async (action: UndoableAction) => {
    if (stack.remove(action)) await execute(action);
  };
  return {
    push: stack.push,
    remove: stack.remove,
    run,
    /** Undoes the newest action since the app was opened. @returns false if there is none */
    runLast: (): boolean => {
      const last = stack.takeLast();
      if (last) void execute(last);
      return last !== undefined;
    },
  };
};

export type Undo = ReturnType<typeof createUndo>;

const UndoContext = createContext<Undo | null>(null);

export const UndoProvider = ({ children }: { children: ReactNode }) => {
  const undo = useMemo(createUndo, []);
  return <UndoContext value={undo}>{children}</UndoContext>;
};

export const useUndo = (): Undo => {
  const undo = useContext(UndoContext);
  if (!undo) throw new Error('useUndo needs an UndoProvider above it.');
  return undo;
};
