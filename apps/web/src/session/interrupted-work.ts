import { INBOX_ACTIONS, type Me } from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { isSignedOut } from '../api/api-errors.ts';

const STORAGE_KEY = 'mailsweep.interrupted';

const KINDS = [...INBOX_ACTIONS, 'accept', 'reject', 'undo', 'undo_batches'] as const;

/** Work that was asked for and not done: an action on emails, a decision on suggestions, or an undo of records or batches. */
export interface InterruptedWork {
  kind: (typeof KINDS)[number];
  ids: string[];
}

/** Keeps work for this tab, as ids alone, until the page is back with the same user. */
export const rememberWork = (queryClient: QueryClient, work: InterruptedWork): void => {
  const userId = queryClient.getQueryData<Me>(['me'])?.userId;
  if (userId !== undefined && work.ids.length > 0)
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ ...work, userId }));
};

/** Keeps work for after the next sign-in when it failed because the session has ended. */
export const rememberIfSignedOut = (
  queryClient: QueryClient,
  error: unknown,
  work: InterruptedWork,
): void => {
  if (isSignedOut(error)) rememberWork(queryClient, work);
};

/** Whether this tab has kept work; whose it is shows only when it is taken. */
export const hasRememberedWork = (): boolean => sessionStorage.getItem(STORAGE_KEY) !== null;

/** The kept work of this user, once. Another version of the app may have stored it. */
export const takeRememberedWork = (userId: string): InterruptedWork | undefined => {
  const text = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  try {
    const stored: Partial<Record<string, unknown>> = JSON.parse(text ?? '{}');
    const kind = KINDS.find((known) => known === stored.kind);
    const ids = Array.isArray(stored.ids) ? stored.ids.filter((id) => typeof id === 'string') : [];
    return stored.userId === userId && kind !== undefined && ids.length > 0 ? { kind, ids } : undefined;
  } catch {
    return undefined;
  }
};
