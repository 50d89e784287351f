import { type LabelChangeOutcome, MailboxError, type RequestedLabelChange } from '@mailsweep/mailbox';
import type { MailboxCache } from '../cache/mailbox-cache.ts';
import type { Place } from '../labels.ts';
import { readMailboxesSince } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { JmapMethodError, LASTING_ERRORS, toEmailError } from '../protocol/jmap-errors.ts';
import { resultOf, setEmails } from '../protocol/jmap-methods.ts';
import type { SetResult } from '../protocol/jmap-schemas.ts';
import { toChunks } from '../protocol/send-each.ts';
import { readPlaces } from '../read-emails.ts';
import { createOpenChanges, MAX_REFUSALS, type OpenChanges, type ReadyChange } from './open-changes.ts';
import { withRoles } from './with-roles.ts';

/** Most emails in one method call: Cyrus holds the user's lock for as long as it works on them. */
const EMAILS_PER_CALL = 250;
/** Most method calls in one request, whose response comes after the last. */
const CALLS_PER_REQUEST = 4;
/** How often it may be lost track of the state of the emails before changes are given up. */
const MAX_ATTEMPTS = 6;
/** How often changes are sent for one state alone; in a mailbox that never rests they would never be made. */
const GUARDED_ATTEMPTS = 3;

/** Errors of a method call that has changed nothing and may succeed later. */
const UNDONE_ERRORS: ReadonlySet<string> = new Set(['stateMismatch', 'serverUnavailable', 'rateLimit']);
/** Errors after which a part may have been done. */
const PARTIAL_ERRORS: ReadonlySet<string> = new Set(['serverFail', 'serverPartialFail']);

const TOO_BUSY = new MailboxError('mailbox_unavailable', 'The mailbox could not be changed');
const LIMITED = new MailboxError('rate_limited', 'The mail server takes no more changes for now');

/** The changes of one call on their way to the server. */
interface Sending {
  session: JmapSession;
  cache: MailboxCache;
  open: OpenChanges;
  /** From 1. */
  attempt: number;
  /** Whether a patch is applied in the very state alone in which the emails were read. */
  isGuarded: boolean;
  /** Whether the server has refused some for now: they are sent again after a while. */
  isLimited: boolean;
}

/**
 * Takes the result of one method call.
 *
 * @param made - takes where the emails are that it has changed
 * @returns the state afterwards; undefined when the emails have to be read again
 * @throws {JmapMethodError} when another attempt is no use
 */
const takeResult = async (
  sending: Sending,
  changes: readonly ReadyChange[],
  result: SetResult | JmapMethodError,
  made: Map<string, Place>,
): Promise<string | undefined> => {
  const { open, isGuarded, session, attempt } = sending;
  if (result instanceof JmapMethodError) {
    if (PARTIAL_ERRORS.has(result.type)) for (const one of changes) open.doubt(one, result);
    else if (!UNDONE_ERRORS.has(result.type)) throw result;
    if (result.type !== 'stateMismatch') await session.pause(attempt, result);
    return undefined;
  }
  let isDoubtful = !isGuarded;
  for (const one of changes) {
    const refusal = result.notUpdated?.[one.id];
    if (refusal?.type === 'notFound') open.fail(one, toEmailError(refusal));
    else if (refusal?.type === 'rateLimit') sending.isLimited = true;
    else if (refusal !== undefined) {
      open.doubt(one, toEmailError(refusal), LASTING_ERRORS.has(refusal.type) ? MAX_REFUSALS : 1);
      isDoubtful = true;
    } else if (isGuarded) {
      open.succeed(one, result.newState);
      made.set(one.id, one.plan.after);
    }
  }
  return isDoubtful ? undefined : result.newState;
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
      update: Object.fromEntries(chunk.map(({ id, plan }) => [id, plan.patch])),
    }),
  );
  const doubtAll = (error?: MailboxError): void => {
    for (const one of chunks.flat()) open.doubt(one, error);
  };
  if (!isGuarded) doubtAll();
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
  for (const [index, result] of results.entries()) {
    now = await takeResult(sending, chunks[index] ?? [], result as SetResult | JmapMethodError, made);
    if (now === undefined) return undefined;
  }
  await cache.noteChange(session, { from: state, to: now, after: made, mailboxes: open.mailboxes() });
  return now;
};

const toSent = ({ id, plan }: ReadyChange) => [id, plan.patch];

const sendAll = async (sending: Sending, state: string): Promise<string | undefined> => {
  const { session, open, attempt, isGuarded } = sending;
  const { limits } = session;
  const ready = open.takeReady(state).filter(({ plan }) => isGuarded || plan.isSafe);
  const calls = toChunks(ready, Math.min(EMAILS_PER_CALL, limits.maxObjectsInSet), limits, toSent);
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
 * were read, or not at all. What is in doubt is read again before it is judged.
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
  const mailboxes = await withRoles(session, await readMailboxesSince(session, historyId), requests);
  const open = createOpenChanges(requests, mailboxes);
  let state = open.isKnown() ? historyId : undefined;
  try {
    let timesLost = 0;
    for (let attempt = 1; open.ids().length > 0; attempt += 1) {
      if (state === undefined) {
        const read = await readPlaces(session, open.ids());
        state = read.state;
        open.see(read.emails, state, await withRoles(session, read.mailboxes, requests));
      }
      if (timesLost >= MAX_ATTEMPTS) open.giveUpAll(state, TOO_BUSY);
      else {
        const isGuarded = timesLost < GUARDED_ATTEMPTS;
        state = await sendAll({ session, cache, open, attempt, isGuarded, isLimited: false }, state);
        if (state === undefined) timesLost += 1;
      }
    }
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error;
    open.failAll(error);
    state = undefined;
  }
  // Some change was not made as planned: what the cache should know of it, the server tells.
  if (state === undefined) await cache.catchUp(session);
  return open.outcomes();
};
