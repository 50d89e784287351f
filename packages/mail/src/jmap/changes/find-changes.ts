import type { LabelChange } from '@mailsweep/contracts';
import {
  type AppliedLabelChange,
  ChangePendingError,
  type ChangeStatus,
  isEmptyChange,
  isInEffect,
  isMail,
  isReversible,
  type LabelChangeOutcome,
  type LabelsBaseline,
  MailboxError,
  NO_CHANGE,
  type RequestedLabelChange,
  toAppliedChange,
} from '@mailsweep/mail/mailbox';
import { type AccountMailboxes, fromLabels, type Place, toKeyword, toLabels } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { readPlaces } from '../read-emails.ts';
import { type PlannedChange, planChange, toVisibleChange } from './plan-change.ts';

/** How often the server may refuse the change of one email: some refuse one that another client was faster with. */
export const MAX_REFUSALS = 2;

/** The change of one email that is not known to be made. */
interface OpenChange {
  request: RequestedLabelChange;
  /** Where the email was before anything was sent that may have been done; undefined while that is not known. */
  base: Place | undefined;
  present: Place | undefined;
  /** Whether something was sent whose effect is not known. */
  isInDoubt: boolean;
  refusals: number;
  error: MailboxError | undefined;
}

export interface ReadyChange {
  id: string;
  plan: PlannedChange;
}

const NOT_FOUND = new MailboxError('not_found', 'The email was deleted');
/**
 * Every email is in a mailbox (RFC 8621, 4.1.1). Cyrus shows one in none when it died while it moved the email, until its
 * database of conversations is rebuilt.
 */
const NOWHERE = new MailboxError('mailbox_unavailable', 'The server shows the email in no mailbox');

const MOVED = new MailboxError('changed_since', 'Another client has moved the email meanwhile');

/** Whether an email has left a mailbox that it was to be moved out of: then it stays where another client has put it. */
const wasMoved = ({ added, before, removed }: RequestedLabelChange, plan: PlannedChange): boolean => {
  const isPlace = (label: string): boolean => toKeyword(label) === undefined;
  const isGone = (label: string): boolean =>
    isPlace(label) && before?.includes(label) === true && !plan.before.includes(label);
  return added.some(isPlace) && removed.some(isGone) && !isEmptyChange(plan.applied);
};

export const createOpenChanges = (requests: readonly RequestedLabelChange[], first: AccountMailboxes) => {
  let mailboxes = first;
  const outcomes = new Map<string, LabelChangeOutcome>();
  const open = new Map<string, OpenChange>();
  for (const request of requests) {
    const place = request.before && fromLabels(request.before, mailboxes);
    const known = { request, base: place, present: place, isInDoubt: false, refusals: 0, error: undefined };
    if (!isEmptyChange(request)) open.set(request.id, known);
  }

  const finish = (outcome: LabelChangeOutcome): void => {
    outcomes.set(outcome.id, outcome);
    open.delete(outcome.id);
  };
  const fail = (id: string, error: MailboxError, isUnsure = false): void =>
    finish({ id, status: 'error', error, isUnsure });

  /** What shows of a change once the email is at a place. */
  const toVisible = ({ base, request }: OpenChange, after: Place) => {
    const plan = base && planChange(base, request, mailboxes);
    return plan === undefined || plan instanceof MailboxError
      ? NO_CHANGE
      : toVisibleChange(plan.applied, after, mailboxes);
  };

  /** Plans the rest of a change, unless it is finished by that. */
  const toReady = (one: OpenChange, historyId: string): ReadyChange | undefined => {
    const { id } = one.request;
    if (one.present === undefined) return undefined;
    const plan = planChange(one.present, one.request, mailboxes);
    if (plan instanceof MailboxError) fail(id, plan);
    else if (wasMoved(one.request, plan)) giveUp(one, historyId, MOVED, false);
    else if (isEmptyChange(plan.applied)) {
      finish({ id, status: 'ok', change: toVisible(one, one.present), historyId });
    } else return { id, plan };
    return undefined;
  };

  /** Ends a change that is not made in full: what shows of it is recorded, so that it can be undone. */
  const giveUp = (one: OpenChange, historyId: string, error: MailboxError, isUnsure: boolean): void => {
    const { id } = one.request;
    const visible = one.present ? toVisible(one, one.present) : NO_CHANGE;
    if (isEmptyChange(visible)) fail(id, one.error ?? error, isUnsure);
    else finish({ id, status: 'ok', change: visible, historyId });
  };

  return {
    ids: (): string[] => [...open.keys()],
    /** The mailboxes by which the changes are planned. */
    mailboxes: (): AccountMailboxes => mailboxes,
    /** Whether it is known where every email is. */
    isKnown: (): boolean => open.values().every(({ present }) => present !== undefined),
    /** Takes note of where these emails are now; what is as requested, or was refused too often, is finished. */
    see(
      ids: readonly string[],
      places: ReadonlyMap<string, Place>,
      historyId: string,
      now: AccountMailboxes,
    ): void {
      mailboxes = now;
      for (const id of ids) {
        const one = open.get(id);
        if (one === undefined) continue;
        const present = places.get(id);
        one.present = present;
        if (!one.isInDoubt || one.base === undefined) one.base = present;
        if (present === undefined) fail(id, NOT_FOUND);
        else if (present.mailboxIds.size === 0) fail(id, NOWHERE, one.isInDoubt);
        else if (toReady(one, historyId) && one.refusals >= MAX_REFUSALS) {
          giveUp(one, historyId, NOT_FOUND, false);
        }
      }
    },
    /** What has to be sent of these; what needs nothing more is finished. */
    takeReady: (historyId: string, ids: readonly string[]): ReadyChange[] =>
      ids.flatMap((id) => {
        const one = open.get(id);
        return (one && toReady(one, historyId)) ?? [];
      }),
    /** Finishes a change that the server has made. */
    succeed({ id, plan }: ReadyChange, historyId: string): void {
      const one = open.get(id);
      if (one) finish({ id, status: 'ok', change: toVisible(one, plan.after), historyId });
    },
    /** It is not known whether a change was made, in full or in part. */
    doubt({ id }: ReadyChange, error?: MailboxError, refusals = 0): void {
      const one = open.get(id);
      if (one) Object.assign(one, { isInDoubt: true, error, refusals: one.refusals + refusals });
    },
    fail: ({ id }: ReadyChange, error: MailboxError): void => fail(id, error),
    /** Ends all changes that are open, after the emails were read. */
    giveUpAll(historyId: string, error: MailboxError): void {
      for (const one of [...open.values()]) giveUp(one, historyId, error, one.isInDoubt);
    },
    /** Ends all changes that are open; where the emails are was not read. */
    failAll(error: MailboxError): void {
      for (const [id, { isInDoubt }] of [...open]) fail(id, error, isInDoubt);
    },
    outcomes: (): LabelChangeOutcome[] =>
      requests.map(({ id }) => outcomes.get(id) ?? { id, status: 'ok', change: NO_CHANGE }),
  };
};

export type OpenChanges = ReturnType<typeof createOpenChanges>;

/** How long a request that was sent may still arrive, in milliseconds: 2 minutes. */
const MAY_ARRIVE_MS = 2 * 60 * 1_000;

const NOT_MADE = new MailboxError('failed', 'The change was not made');

/** What a request would have changed, by the labels before; without them, all that it asks for. */
const toWanted = (request: RequestedLabelChange, mailboxes: AccountMailboxes): LabelChange => {
  if (request.before === undefined) return request;
  const plan = planChange(fromLabels(request.before, mailboxes), request, mailboxes);
  return plan instanceof MailboxError ? toAppliedChange(request.before, request) : plan.applied;
};

const findOutcome = (
  request: RequestedLabelChange,
  present: Place | undefined,
  mailboxes: AccountMailboxes,
  isRecent: boolean,
): LabelChangeOutcome => {
  const { id, before } = request;
  if (present === undefined) return { id, status: 'error', error: NOT_FOUND, isUnsure: false };
  if (present.mailboxIds.size === 0) return { id, status: 'error', error: NOWHERE, isUnsure: true };
  const wanted = toWanted(request, mailboxes);
  if (isEmptyChange(wanted)) return { id, status: 'ok', change: NO_CHANGE };
  const change = toVisibleChange(wanted, present, mailboxes);
  // Without the labels before, a part that shows may always have been so.
  const isMade = before ? !isEmptyChange(change) : isInEffect(toLabels(present, mailboxes), request);
  if (isMade) return { id, status: 'ok', change };
  const error = isRecent ? new ChangePendingError() : NOT_MADE;
  return { id, status: 'error', error, isUnsure: isRecent };
};

/**
 * Finds out what became of changes, without changing anything: the labels before and the present ones tell, also where
 * the server has forgotten its history. A change that another client made in the same way counts as made.
 *
 * @param ageMs - how long ago they were asked for, in milliseconds
 * @throws {MailboxError}
 */
export const findChanges = async (
  session: JmapSession,
  requests: readonly RequestedLabelChange[],
  ageMs = 0,
): Promise<LabelChangeOutcome[]> => {
  const wanted = requests.filter((request) => !isEmptyChange(request));
  const { state, emails, mailboxes } = await readPlaces(
    session,
    wanted.map(({ id }) => id),
  );
  const outcomes = wanted.map((request) => {
    const outcome = findOutcome(request, emails.get(request.id), mailboxes, ageMs < MAY_ARRIVE_MS);
    return outcome.status === 'ok' ? { ...outcome, historyId: state } : outcome;
  });
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return requests.map(({ id }) => outcomeOf.get(id) ?? { id, status: 'ok', change: NO_CHANGE });
};

/** What became of changes while the mailbox can't be read: an error that keeps each of them open. @throws any other error */
export const toUnsure = (requests: readonly RequestedLabelChange[], error: unknown): LabelChangeOutcome[] => {
  if (!(error instanceof MailboxError)) throw error;
  return requests.map(({ id }) => ({ id, status: 'error', error, isUnsure: true }));
};

/** The state of the emails, and the labels of these. @throws {MailboxError} */
export const readBaseline = async (session: JmapSession, ids: readonly string[]): Promise<LabelsBaseline> => {
  const { state, emails, mailboxes } = await readPlaces(session, ids);
  const labels = new Map([...emails].map(([id, place]) => [id, toLabels(place, mailboxes)]));
  return {
    historyId: state,
    labels,
    ahead: new Set(),
    noMail: new Set([...labels].flatMap(([id, own]) => (isMail(own) ? [] : [id]))),
  };
};

/** Whether changes made earlier can be taken back. @throws {MailboxError} */
export const checkChanges = async (
  session: JmapSession,
  changes: readonly (AppliedLabelChange & { id: string })[],
): Promise<{ historyId: string; statuses: ChangeStatus[] }> => {
  const { historyId, labels } = await readBaseline(
    session,
    changes.map(({ id }) => id),
  );
  const statuses = changes.map(({ id, change }): ChangeStatus => {
    const present = labels.get(id);
    if (present === undefined) return { id, error: NOT_FOUND };
    return { id, isReversible: isReversible(present, change), labels: present };
  });
  return { historyId, statuses };
};
