import type { UndoFailureReason } from '@mailsweep/contracts';

/** Why one mail was left out, in words that follow a count: "2 could not be found any more". */
const FAILURE_PHRASES: Record<UndoFailureReason, string> = {
  not_found: 'not in the mailbox any more',
  forbidden: 'refused by the mail provider',
  rate_limited: 'held back by the mail provider’s limits; try again in a minute',
  mailbox_unavailable: 'the mailbox did not answer',
  reauth_required: 'the connection to your mailbox must be renewed',
  failed: 'failed for an unknown reason',
  changed_since: 'changed since, so left as they are',
  already_undone: 'already undone',
};

interface Result {
  status: 'ok' | 'error';
  reason?: UndoFailureReason;
}

/** Counts the failures by reason: `2 not in the mailbox any more · 1 refused by the mail provider`. */
export const describeFailures = (results: readonly Result[]): string => {
  const counts = new Map<UndoFailureReason, number>();
  for (const result of results) {
    if (result.status === 'error' && result.reason)
      counts.set(result.reason, (counts.get(result.reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} ${FAILURE_PHRASES[reason]}`).join(' · ');
};
