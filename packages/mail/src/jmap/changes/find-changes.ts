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
import { fromLabels, type Place, toLabels } from '../labels.ts';
import type { AccountMailboxes } from '../mailboxes.ts';
import type { JmapSession } from '../protocol/jmap-client.ts';
import { readPlaces } from '../read-emails.ts';
import { NOT_FOUND, NOWHERE } from './open-changes.ts';
import { planChange, toVisibleChange } from './plan-change.ts';

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
