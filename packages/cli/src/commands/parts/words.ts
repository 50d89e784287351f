import type { ProgressOptions } from '@mailsweep/client';
import { toNumber } from '../../output/text.ts';
import type { Terminal } from '../../terminal.ts';

const BAR_LENGTH = 24;

/** @example `[######------------------] 1,200 of 4,800` */
export const toBar = (done: number, total: number): string => {
  const filled = total === 0 ? 0 : Math.min(BAR_LENGTH, Math.floor((done / total) * BAR_LENGTH));
  return `[${'#'.repeat(filled).padEnd(BAR_LENGTH, '-')}] ${toNumber(done)} of ${toNumber(total)}`;
};

export const toProgressOptions = ({ signal, intervalMs }: Terminal): ProgressOptions => ({
  signal,
  ...(intervalMs !== undefined && { intervalMs }),
});

/** What each reason says of an email that is left out or skipped. */
const REASONS: Record<string, string> = {
  unclear_sender: 'with an unclear sender',
  protected: 'from protected senders',
  starred: 'starred',
  important: 'marked as important',
  snoozed: 'snoozed or scheduled',
  conversation: 'in conversations that you have written in',
  written_to: 'from people that you have written to',
  invitation: 'invitations',
  notify: 'that you wanted to be notified of',
  receipt: 'receipts',
  handled: 'handled before',
  received_later: 'sent long enough ago, but received later: ages count from then',
};

/** What stopped or delays work on the server. */
const FAULTS: Record<string, string> = {
  rate_limited: 'Gmail asks for a pause',
  daily_limit_exceeded: 'the daily quota at Google is used up',
  mailbox_unavailable: 'Gmail is unavailable',
  classification_unavailable: 'the classification service is unavailable',
  reauth_required: 'Gmail has to be connected again: sign in to the web app',
  missing_scope: 'access to Gmail was not granted: sign in to the web app again',
  no_inbox: 'the mail server shows no inbox',
  in_progress: 'other changes of the mailbox are running',
  plan_outdated: 'the plan is out of date: make a new one',
  label_refused: 'the name of the label is refused: choose another, such as one that begins with _',
  timed_out: 'it took too long',
};

/** What each action does, as a command and as what was done. */
const ACTIONS: Record<string, { verb: string; done: string }> = {
  archive: { verb: 'Archive', done: 'archived' },
  delete: { verb: 'Move to the trash:', done: 'moved to the trash' },
  mark_read: { verb: 'Mark as read:', done: 'marked as read' },
  mark_unread: { verb: 'Mark as unread:', done: 'marked as unread' },
  label: { verb: 'Label', done: 'labelled' },
  accept: { verb: 'Accept what is suggested for', done: 'accepted' },
  reject: { verb: 'Reject what is suggested for', done: 'rejected' },
};

export const describeFault = (code: string): string => FAULTS[code] ?? code.replaceAll('_', ' ');

export const describeVerb = (action: string): string => ACTIONS[action]?.verb ?? action;

export const describeDone = (action: string): string => ACTIONS[action]?.done ?? action;

/** @example `4 starred, 11 in conversations that you have written in` */
export const describeReasons = (counts: Partial<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([reason, count = 0]) => `${toNumber(count)} ${REASONS[reason] ?? reason.replaceAll('_', ' ')}`)
    .join(', ');

/** @example `30 archive, 8 label` */
export const describeActions = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([action, count]) => `${toNumber(count)} ${action.replaceAll('_', ' ')}`)
    .join(', ');
