import type { FailureReason, UndoFailureReason } from '@mailsweep/contracts';

/** Why one email was left out, in words that follow a count: "2 could not be found any more". */
const FAILURE_PHRASES: Record<FailureReason | UndoFailureReason, string> = {
  not_found: 'not in the mailbox any more',
  label_gone:
    'left as they are: the label was deleted in Gmail meanwhile; accept them again to create it anew',
  forbidden: 'refused by the email provider',
  rate_limited: 'held back by the email provider’s limits; try again in a minute',
  mailbox_unavailable: 'the mailbox did not answer',
  daily_limit_exceeded: 'held back by the daily quota at Google; try again tomorrow',
  missing_scope: 'not allowed: sign in again and tick the box for Gmail',
  mail_service_disabled: 'not done: this Google account has no Gmail',
  domain_policy: 'not allowed by the administrator of your Google account',
  gmail_api_disabled: 'not done: the operator has to enable the Gmail API',
  provider_configuration: 'not done: Google does not accept this installation of Mailsweep',
  reauth_required: 'the connection to your mailbox must be renewed',
  too_many_labels:
    'need more new labels than are created at a time; accept them again, or delete Mailsweep labels in Gmail first',
  failed: 'failed for an unknown reason',
  in_progress: 'still being changed; try again in a minute',
  changed_since: 'changed since, so left as they are',
  already_undone: 'already undone',
};

interface Result {
  status: 'ok' | 'error';
  reason?: FailureReason | UndoFailureReason;
}

/** Counts the failures by reason: `2 not in the mailbox any more · 1 refused by the provider`. */
export const describeFailures = (results: readonly Result[]): string => {
  const counts = new Map<FailureReason | UndoFailureReason, number>();
  for (const result of results) {
    if (result.status === 'error' && result.reason)
      counts.set(result.reason, (counts.get(result.reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => `${count} ${FAILURE_PHRASES[reason]}`).join(' · ');
};
