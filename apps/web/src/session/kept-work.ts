import {
  type CleanupAction,
  type ConfirmRequest,
  type CreateCleanupRequest,
  INBOX_ACTIONS,
  type Me,
  type SuggestionGrouping,
} from '@mailsweep/contracts';
import type { QueryClient } from '@tanstack/react-query';
import { isSignedOut } from '../api/error-kinds.ts';
import { beginGesture, type Gesture, toGestureId } from '../api/gesture.ts';

/** Before the id of a gesture; an entry for each, so that tabs do not overwrite what others keep. */
const PREFIX = 'mailsweep.work.';
/** As long as the API knows an idempotency key; work that is older is done only if the user still wants it. */
const MAX_AGE_MS = 24 * 60 * 60_000;

const KINDS = [...INBOX_ACTIONS, 'accept', 'reject', 'undo', 'undo_batches', 'cleanup'] as const;

/** A group of suggestions, as far as a view shows it. */
export interface KeptGroup {
  by: SuggestionGrouping;
  key: string;
  minAcceptance: number;
  /** Ids of emails that the user has left out. */
  except: string[];
}

/**
 * What the user asked for: an action on emails, a decision on suggestions, an undo of records or batches, or a cleanup; with
 * all that it takes to do it after a reload. It holds no content of emails.
 */
export interface WorkToKeep {
  kind: (typeof KINDS)[number];
  /** Of emails, records or batches; of a cleanup, its own as soon as it is planned. */
  ids: string[];
  /** What is done instead of what is suggested. */
  other?: { action: NonNullable<ConfirmRequest['as']>; label: string } | undefined;
  /** A group of suggestions whose emails are still to be found. */
  group?: KeptGroup | undefined;
  /** What a cleanup does. */
  action?: CleanupAction;
  /** A cleanup that is still to be planned. */
  request?: CreateCleanupRequest | undefined;
  /** Emails that the screen showed as concerned, where their ids are not known. */
  count?: number;
  /** The gesture by which the user took it back already. */
  undoId?: string;
}

/** Work as it is stored on the device. */
export interface KeptWork extends WorkToKeep {
  gestureId: string;
  userId: string;
  at: number;
  /** Whether the user has to say once more that it is to be done. */
  isOffered?: boolean;
}

/** What this tab has in hand, by the gesture, and how to let other tabs have it. */
const inHand = new Map<string, { work?: KeptWork; release: () => void }>();
let isLeaving = false;
// A browser may end requests before it ends the page: that is no outcome.
globalThis.addEventListener?.('pagehide', () => {
  isLeaving = true;
});
globalThis.addEventListener?.('pageshow', () => {
  isLeaving = false;
});

/** Takes work for this tab, unless another one has it in hand. Without locks the idempotency key alone keeps it single. */
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
  work: WorkToKeep & Pick<KeptWork, 'isOffered'>,
): void => {
  const userId = queryClient.getQueryData<Me>(['me'])?.userId;
  if (userId !== undefined) store({ ...work, gestureId: id, userId, at: Date.now() });
};

/** Keeps what is new about work. */
export const updateWork = ({ id }: Gesture, change: Partial<WorkToKeep>): void => {
  const work = inHand.get(id)?.work;
  if (work) store({ ...work, ...change });
};

/** Forgets work: it is done, or the user knows that it failed. */
export const dropWork = (gestureId: string): void => {
  if (isLeaving) return;
  localStorage.removeItem(PREFIX + gestureId);
  inHand.get(gestureId)?.release();
  inHand.delete(gestureId);
};

/** Whether the request with this idempotency key is sent after a reload, too. */
export const isKept = (idempotencyKey: string): boolean =>
  inHand.get(toGestureId(idempotencyKey))?.work !== undefined;

/** Keeps work for the next page with the same user, which offers it. */
export const offerLater = (queryClient: QueryClient, asked: WorkToKeep): void => {
  if (asked.ids.length > 0 || asked.count)
    keepWork(queryClient, beginGesture(), { ...asked, isOffered: true });
};

/** The same for what failed because the session has ended. */
export const offerIfSignedOut = (queryClient: QueryClient, error: unknown, work: WorkToKeep): void => {
  if (isSignedOut(error)) offerLater(queryClient, work);
};

/**
 * Does work that is kept on this device until it has an outcome.
 *
 * @throws as `run` does; what failed because the session has ended is offered after the next sign-in
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
    offerIfSignedOut(queryClient, error, inHand.get(gesture.id)?.work ?? work);
    throw error;
  } finally {
    dropWork(gesture.id);
  }
};

const keptIds = (): string[] =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));

/** Whether there is work that this tab does not have in hand; whose it is shows only when it is taken. */
export const hasKeptWork = (): boolean => keptIds().some((id) => !inHand.has(id));

/** Forgets the work of every user: nobody is signed in any more. */
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

/**
 * Takes over what pages of this user left undone when they ended, oldest first; only one tab gets it. Offered work is the
 * user's to decide on, and is not kept any longer. Work of other users is forgotten.
 */
export const takeWork = async (userId: string): Promise<KeptWork[]> => {
  const taken: KeptWork[] = [];
  for (const id of keptIds()) {
    if (!(await claim(id))) continue;
    const work = read(id);
    const isOffered = work?.isOffered || Date.now() - (work?.at ?? 0) > MAX_AGE_MS;
    if (work?.userId === userId) taken.push({ ...work, isOffered });
    if (work?.userId !== userId || isOffered) dropWork(id);
  }
  return taken.sort((a, b) => a.at - b.at);
};
