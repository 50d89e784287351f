import type { LabelChange } from '@mailsweep/contracts';
import {
  type LabelChangeOutcome,
  MailboxError,
  type RequestedLabelChange,
  SYSTEM_LABELS,
} from '@mailsweep/mail/mailbox';
import type { MailboxCache } from '../cache/mailbox-cache.ts';
import { noteOwnChange } from '../changed-ids.ts';
import {
  type AccountMailboxes,
  type Place,
  readMailboxesNow,
  readMailboxesSince,
  toKeyword,
} from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { JmapMethodError, LASTING_ERRORS, toEmailError, UNREADABLE } from '../protocol/jmap-errors.ts';
import { resultOf, type SetResult, setEmails, setMailboxes } from '../protocol/jmap-schemas.ts';
import { halve, mostOf, toChunks } from '../protocol/send-each.ts';
import { readPlaces } from '../read-emails.ts';
import { createOpenChanges, MAX_REFUSALS, type OpenChanges, type ReadyChange } from './find-changes.ts';

const NAMES: Record<string, string> = { archive: 'Archive', trash: 'Trash' };

/** The roles of mailboxes that changes may move email to, besides those whose labels they add. */
const toNeededRoles = (changes: readonly LabelChange[]): string[] => {
  const isDelete = ({ added }: LabelChange) => added.includes(SYSTEM_LABELS.trash);
  const mayArchive = (change: LabelChange) =>
    !isDelete(change) && change.removed.some((label) => toKeyword(label) === undefined);
  return [...(changes.some(mayArchive) ? ['archive'] : []), ...(changes.some(isDelete) ? ['trash'] : [])];
};

/**
 * The mailboxes, with one for the archive and one for the trash where the changes need them: any role may be missing
 * (RFC 8621, 2).
 *
 * @throws {MailboxError} when there is none and none can be created
 */
const withRoles = async (
  session: JmapSession,
  mailboxes: AccountMailboxes,
  changes: readonly LabelChange[],
): Promise<AccountMailboxes> => {
  let missing = toNeededRoles(changes).filter((role) => mailboxes.idOf(role) === undefined);
  if (missing.length === 0) return mailboxes;
  const { isReadOnly, accountCapabilities } = session.account;
  if (isReadOnly || !accountCapabilities.mayCreateTopLevelMailbox) {
    throw new MailboxError(
      isReadOnly ? 'forbidden' : 'not_permitted',
      `The account allows no mailbox for the ${missing.join(', ')}`,
    );
  }
  let refusal: string | undefined;
  // A server may leave roles to itself (James): then the mailbox is known by its name.
  for (const hasRole of [true, false]) {
    const create = missing.map((role) => [role, { name: NAMES[role], ...(hasRole && { role }) }]);
    const [result] = await session.change([setMailboxes({ create: Object.fromEntries(create) })]);
    if (result instanceof JmapMethodError) throw result;
    const now = await readMailboxesNow(session);
    const lacking = missing.find((role) => now.idOf(role) === undefined);
    if (lacking === undefined) return now;
    missing = missing.filter((role) => now.idOf(role) === undefined);
    refusal ??= result.notCreated?.[lacking]?.type;
  }
  throw new JmapMethodError(refusal ?? UNREADABLE, 'Mailbox/set', session.host);
};

/** Most emails in one method call: Cyrus holds the user's lock for as long as it works on them. */
const EMAILS_PER_CALL = 250;
/** Most method calls in one request, whose response comes after the last. */
const CALLS_PER_REQUEST = 4;
/** Attempts without progress before changes are given up. */
const MAX_ATTEMPTS = 8;
/**
 * Most emails that are read and changed at a time after so many attempts: the fewer, the sooner the change comes after the
 * state that it is for. In a mailbox that never rests, a few at a time are changed.
 */
const EMAILS_AFTER_ATTEMPTS = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 250];
const FEWEST_EMAILS = 25;

/** Errors of a method call that has changed nothing and may succeed later. */
const UNDONE_ERRORS: ReadonlySet<string> = new Set(['stateMismatch', 'serverUnavailable', 'rateLimit']);
/** Errors after which a part may have been done. */
const PARTIAL_ERRORS: ReadonlySet<string> = new Set(['serverFail', 'serverPartialFail', UNREADABLE]);
/** The key of the remembered limit of emails per call. */
const SET_KIND = 'Email/set';

const TOO_BUSY = new MailboxError('mailbox_unavailable', 'The mailbox could not be changed');
const LIMITED = new MailboxError('rate_limited', 'The mail server takes no more changes for now');

interface Sending {
  session: JmapSession;
  cache: MailboxCache;
  open: OpenChanges;
  /** From 1. */
  attempt: number;
  /** Whether the server applies a patch in the very state alone in which the emails were read. */
  isGuarded: boolean;
  /** Whether the server has refused some for now: they are sent again after a while. */
  isLimited: boolean;
  /** Whether there is less to do, or another way to do it, than before. */
  hasAdvanced: boolean;
}

/**
 * Takes the result of one method call that was not refused.
 *
 * @param made - takes where the emails are that it has changed
 * @returns whether it is certain what became of all emails, so that the state afterwards is known
 */
const takeResult = (
  sending: Sending,
  changes: readonly ReadyChange[],
  result: SetResult,
  made: Map<string, Place>,
): boolean => {
  const { open } = sending;
  let isCertain = sending.isGuarded;
  for (const one of changes) {
    const refusal = result.notUpdated?.[one.id];
    const isMade = refusal === undefined && Object.hasOwn(result.updated ?? {}, one.id);
    if (refusal !== undefined || isMade) sending.hasAdvanced = true;
    if (refusal?.type === 'notFound') open.fail(one, toEmailError(refusal));
    else if (refusal?.type === 'rateLimit') sending.isLimited = true;
    else if (isMade) {
      open.succeed(one, result.newState);
      made.set(one.id, one.plan.after);
    } else {
      const isLasting = refusal !== undefined && LASTING_ERRORS.has(refusal.type);
      open.doubt(
        one,
        refusal && toEmailError(refusal),
        isLasting ? MAX_REFUSALS : Number(refusal !== undefined),
      );
      isCertain = false;
    }
  }
  return isCertain;
};

/**
 * Sends some changes in one request.
 *
 * @param state - of the emails
 * @returns the state afterwards; undefined when the emails have to be read again
 * @throws {MailboxError} when another attempt is no use
 */
const sendRequest = async (
  sending: Sending,
  chunks: readonly ReadyChange[][],
  state: string,
): Promise<string | undefined> => {
  const { session, cache, open, attempt, isGuarded } = sending;
  // Each call is for the state in which the one before it has left the emails.
  const toGuard = (index: number): object => {
    if (!isGuarded) return {};
    return index === 0
      ? { ifInState: state }
      : { '#ifInState': resultOf(index - 1, 'Email/set', '/newState') };
  };
  const calls = chunks.map((chunk, index) =>
    setEmails({
      ...toGuard(index),
      update: Object.fromEntries(chunk.map((one) => [one.id, toUpdate(one, isGuarded)])),
    }),
  );
  const doubtAll = (error?: MailboxError): void => {
    for (const one of chunks.flat()) open.doubt(one, error);
  };
  let results: Awaited<ReturnType<typeof session.change>>;
  try {
    results = await session.change(calls);
  } catch (error) {
    if (!(error instanceof MailboxError) || error.code !== 'mailbox_unavailable') throw error;
    doubtAll(error);
    await session.pause(attempt, error);
    return undefined;
  }
  const made = new Map<string, Place>();
  let now: string | undefined = state;
  // All of them before any is judged: what a call has changed is so, whatever became of the others.
  for (const [index, result] of results.entries()) {
    const changes = chunks[index] ?? [];
    if (!(result instanceof JmapMethodError)) {
      const isCertain = takeResult(sending, changes, result as SetResult, made);
      now = isCertain && now !== undefined ? (result as SetResult).newState : undefined;
    } else if (PARTIAL_ERRORS.has(result.type)) for (const one of changes) open.doubt(one, result);
  }
  const failed = results.findIndex((result) => result instanceof JmapMethodError);
  const error = results[failed];
  // The calls after it may have failed for want of the state that it would have led to.
  if (error instanceof JmapMethodError) {
    if (halve(session, SET_KIND, chunks[failed]?.length ?? 0, error)) sending.hasAdvanced = true;
    else if (!PARTIAL_ERRORS.has(error.type) && !UNDONE_ERRORS.has(error.type)) throw error;
    else if (error.type !== 'stateMismatch') await session.pause(attempt, error);
    return undefined;
  }
  if (now !== undefined) {
    const own = { from: state, to: now, after: made };
    noteOwnChange(session, own);
    await cache.noteChange({ ...own, mailboxes: open.mailboxes() });
  }
  return now;
};

/** Without a state, another client may have taken the email out of its other mailboxes: then all are named. */
const toUpdate = ({ plan }: ReadyChange, isGuarded: boolean): object => {
  if (isGuarded || plan.isSafe) return plan.patch;
  const keywords = Object.entries(plan.patch).filter(([path]) => path.startsWith('keywords/'));
  const mailboxIds = Object.fromEntries([...plan.after.mailboxIds].map((id) => [id, true]));
  return { ...Object.fromEntries(keywords), mailboxIds };
};

/**
 * Whether the server looks at the state that a change is for: a change of nothing, for a state that never was, is refused
 * then.
 */
const checksStates = async ({ change, connection }: JmapSession): Promise<boolean> => {
  if (connection.checksStates !== undefined) return connection.checksStates;
  try {
    const [result] = await change([setMailboxes({ ifInState: 'none' })]);
    connection.checksStates = result instanceof JmapMethodError;
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error;
    // Some servers refuse what is none of their states as a whole; other failures say nothing.
    if (error.code === 'failed') connection.checksStates = true;
  }
  return connection.checksStates ?? true;
};

const sendAll = async (
  sending: Sending,
  state: string,
  ids: readonly string[],
): Promise<string | undefined> => {
  const { session, open, attempt, isGuarded } = sending;
  const { limits } = session;
  const toSent = (one: ReadyChange) => [one.id, toUpdate(one, isGuarded)];
  const ready = open.takeReady(state, ids);
  const most = mostOf(session, SET_KIND, Math.min(EMAILS_PER_CALL, limits.maxObjectsInSet));
  const calls = toChunks(ready, most, limits, toSent);
  const perRequest = Math.min(CALLS_PER_REQUEST, limits.maxCallsInRequest);
  let now: string | undefined = state;
  for (const chunks of toChunks(calls, perRequest, limits, (chunk) => chunk.map(toSent))) {
    now = await sendRequest(sending, chunks, now);
    if (now === undefined || sending.isLimited) break;
  }
  if (sending.isLimited) await session.pause(attempt, LIMITED);
  return isGuarded ? now : undefined;
};

/**
 * Changes labels and finds out what that really changed: a patch is applied in the very state in which the labels before
 * were read, or not at all. A server that does not look at states is sent a patch right after they were read. What is in
 * doubt is read again before it is judged.
 *
 * @param historyId - state of the emails in which the labels before were read
 * @throws {MailboxError} when nothing was sent
 */
export const changeLabels = async (
  session: JmapSession,
  cache: MailboxCache,
  requests: readonly RequestedLabelChange[],
  historyId: string | undefined,
): Promise<LabelChangeOutcome[]> => {
  const isGuarded = await checksStates(session);
  const mailboxes = await withRoles(session, await readMailboxesSince(session, historyId), requests);
  const open = createOpenChanges(requests, mailboxes);
  let state = isGuarded && open.isKnown() ? historyId : undefined;
  let isCached = true;
  try {
    let timesLost = 0;
    for (let attempt = 1; open.ids().length > 0; attempt += 1) {
      const most = isGuarded ? (EMAILS_AFTER_ATTEMPTS[timesLost] ?? FEWEST_EMAILS) : EMAILS_PER_CALL;
      const ids = timesLost >= MAX_ATTEMPTS ? open.ids() : open.ids().slice(0, most);
      if (state === undefined) {
        const read = await readPlaces(session, ids);
        state = read.state;
        open.see(ids, read.emails, state, await withRoles(session, read.mailboxes, requests));
      }
      if (timesLost >= MAX_ATTEMPTS) open.giveUpAll(state, TOO_BUSY);
      else {
        const sending = { session, cache, open, attempt, isGuarded, isLimited: false, hasAdvanced: false };
        state = await sendAll(sending, state, ids);
        if (state === undefined && !sending.hasAdvanced) timesLost += 1;
        isCached &&= state !== undefined;
        // Where the others are was read before.
        if (open.ids().length > 0 && Number.isFinite(most)) state = undefined;
      }
    }
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error;
    open.failAll(error);
    isCached = false;
  }
  // Some change was not made as planned: what the cache should know of it, the server tells.
  if (!isCached) await cache.catchUp();
  return open.outcomes();
};
