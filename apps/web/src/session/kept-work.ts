import {
  type CleanupAction,
  type ConfirmRequest,
  type CreateCleanupRequest,
  INBOX_ACTIONS,
  type Me,
  type SuggestionGrouping,
} from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { shownMailbox } from '../address/shown-mailbox.ts';
import { isReadOnlyAccess, isSignedOut } from '../api/errors.ts';
import { beginGesture, type Gesture, toGestureId } from '../api/gesture.ts';
import { askForAccess } from './wanted-access.ts';

/** One entry per gesture, so that tabs do not overwrite each other. */
const PREFIX = 'mailsweep.work.';
/** As long as the API knows an idempotency key; the user must confirm older work. */
const MAX_AGE_MS = 24 * 60 * 60_000;

const KINDS = [...INBOX_ACTIONS, 'accept', 'reject', 'undo', 'undo_batches', 'cleanup'] as const;

export interface KeptGroup {
  by: SuggestionGrouping;
  key: string;
  minAcceptance: number;
  /** Ids of emails that the user left out. */
  except: string[];
}

/**
 * Everything that repeats the user's request after a reload: an action, a decision, an undo, or a cleanup. Holds no
 * content of emails.
 */
export interface WorkToKeep {
  kind: (typeof KINDS)[number];
  /** Of emails, records or batches; of a cleanup once it is planned. */
  ids: string[];
  /** Replaces the suggested action. */
  other?: { action: NonNullable<ConfirmRequest['as']>; label: string } | undefined;
  /** A group whose emails are not yet known. */
  group?: KeptGroup | undefined;
  action?: CleanupAction;
  /** A cleanup to plan. */
  request?: CreateCleanupRequest | undefined;
  /** Emails that the screen showed, if their ids are unknown. */
  count?: number;
  /** The gesture that undid it already. */
  undoId?: string;
}

export interface KeptWork extends WorkToKeep {
  gestureId: string;
  userId: string;
  /** As the address of the page named it. */
  mailbox?: string | undefined;
  at: number;
  /** Whether the user must confirm again. */
  isOffered?: boolean;
  /** Whether it waits for the user to allow changes, which confirms it. */
  needsAccess?: boolean;
}

/** This tab's work by gesture, with a release for other tabs. */
const inHand = new Map<string, { work?: KeptWork; release: () => void }>();
let isLeaving = false;
// Browsers may abort requests when a page ends: that is no outcome.
globalThis.addEventListener?.('pagehide', () => {
  isLeaving = true;
});
globalThis.addEventListener?.('pageshow', () => {
  isLeaving = false;
});

/** Claims work for this tab. Without locks only the idempotency key prevents repetition. */
const claim = async (id: string): Promise<boolean> => {
  if (inHand.has(id)) return false;
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  inHand.set(id, { release });
  const { locks } = navigator as { locks?: LockManager | null };
  if (!locks) return true;
  const isMine = await new Promise<boolean>((resolve) => {
    void locks.request(PREFIX + id, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock ? released : undefined;
    });
  });
  if (!isMine) inHand.delete(id);
  return isMine;
};

const store = (work: KeptWork): void => {
  void claim(work.gestureId);
  try {
    localStorage.setItem(PREFIX + work.gestureId, JSON.stringify(work));
    const hold = inHand.get(work.gestureId);
    if (hold) hold.work = work;
  } catch {
    // The storage is full: leaving the page asks first.
  }
};

/** Keeps work on this device until it is dropped. */
export const keepWork = (
  queryClient: QueryClient,
  { id }: Gesture,
  work: WorkToKeep & Pick<KeptWork, 'isOffered' | 'needsAccess'>,
): void => {
  const userId = queryClient.getQueryData<Me>(['me'])?.userId;
  if (userId !== undefined)
    store({ ...work, gestureId: id, userId, mailbox: shownMailbox(), at: Date.now() });
};

export const updateWork = ({ id }: Gesture, change: Partial<WorkToKeep>): void => {
  const work = inHand.get(id)?.work;
  if (work) store({ ...work, ...change });
};

/** Drops work that is done, or that failed with the user's knowledge. */
export const dropWork = (gestureId: string): void => {
  if (isLeaving) return;
  localStorage.removeItem(PREFIX + gestureId);
  inHand.get(gestureId)?.release();
  inHand.delete(gestureId);
};

/** Whether the same work is in progress and not being undone. */
export const isBeingDone = (asked: WorkToKeep): boolean =>
  [...inHand.values()].some(({ work }) => {
    const { gestureId: _gesture, userId: _user, mailbox: _mailbox, at: _at, ...done } = work ?? {};
    return JSON.stringify(done) === JSON.stringify(asked);
  });

/** Whether the request with this idempotency key is repeated after a reload. */
export const isKept = (idempotencyKey: string): boolean =>
  inHand.get(toGestureId(idempotencyKey))?.work !== undefined;

/** Keeps work for the next page to offer to the same user. */
export const offerLater = (
  queryClient: QueryClient,
  asked: WorkToKeep & Pick<KeptWork, 'needsAccess'>,
): void => {
  if (asked.ids.length > 0 || asked.count)
    keepWork(queryClient, beginGesture(), { ...asked, isOffered: true });
};

/** The same if the session has ended; asks for more access if that is missing. */
export const offerAfterSignIn = (queryClient: QueryClient, error: unknown, work: WorkToKeep): void => {
  if (isSignedOut(error)) offerLater(queryClient, work);
  else if (isReadOnlyAccess(error)) askForAccess(queryClient, work);
};

/**
 * Keeps work on this device until it has an outcome.
 *
 * @throws as `run` does; work that failed because the session ended is offered after the next sign-in
 */
export const keepUntilDone = async <T>(
  queryClient: QueryClient,
  gesture: Gesture,
  work: WorkToKeep,
  run: () => Promise<T>,
): Promise<T> => {
  keepWork(queryClient, gesture, work);
  try {
    return await run();
  } catch (error) {
    offerAfterSignIn(queryClient, error, inHand.get(gesture.id)?.work ?? work);
    throw error;
  } finally {
    dropWork(gesture.id);
  }
};

const keptIds = (): string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));

/** Whether there is work for this tab to take; of which user, shows only then. */
export const hasKeptWork = (): boolean => keptIds().some((id) => !inHand.has(id));

/** Forgets the work of every user: nobody is signed in. */
export const forgetWork = (): void => {
  for (const id of keptIds()) dropWork(id);
};

/** Another version of the app may have stored it. */
const read = (id: string): KeptWork | undefined => {
  try {
    const work: KeptWork = JSON.parse(localStorage.getItem(PREFIX + id) ?? '{}');
    const isValid =
      KINDS.includes(work.kind) && work.ids.every((one) => typeof one === 'string') && work.gestureId === id;
    return isValid ? work : undefined;
  } catch {
    return undefined;
  }
};

const isOld = (work: KeptWork | undefined): boolean => Date.now() - (work?.at ?? 0) > MAX_AGE_MS;

/** Whether a page of another mailbox takes it over; what others left at this address is of nobody who is here. */
const isOfOtherMailbox = (work: KeptWork | undefined, userId: string): boolean =>
  work !== undefined && work.userId !== userId && work.mailbox !== shownMailbox() && !isOld(work);

/**
 * Takes over unfinished work of this user's pages, oldest first, in one tab only. Offered work is not kept: the user
 * decides. Forgets the work of others who used this address, and leaves that of other mailboxes.
 */
export const takeWork = async (userId: string): Promise<KeptWork[]> => {
  const taken: KeptWork[] = [];
  for (const id of keptIds()) {
    if (isOfOtherMailbox(read(id), userId) || !(await claim(id))) continue;
    const work = read(id);
    const isOffered = work?.isOffered || isOld(work);
    if (work?.userId === userId) taken.push({ ...work, isOffered });
    if (work?.userId !== userId || isOffered) dropWork(id);
  }
  return taken.sort((a, b) => a.at - b.at);
};
