import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { FailureReason, UndoFailureReason } from '@mailsweep/contracts';
import { countEach } from '../email/counts.ts';

/** Why an email was left out, after a count: "2 could not be found any more". */
const FAILURE_PHRASES: Record<FailureReason | UndoFailureReason, MessageDescriptor> = {
  not_found: msg`not in the mailbox any more`,
  label_gone: msg`left alone: the label was deleted meanwhile; accept again to create a new one`,
  label_refused: msg`not labelled: your mail provider does not take the label’s name; choose another`,
  forbidden: msg`refused by the email provider`,
  not_permitted: msg`not allowed: you may only read a mailbox that it is in or would go to`,
  too_many_mailboxes: msg`not labelled: the mail server keeps an email in too few mailboxes`,
  rate_limited: msg`held back by the email provider’s limits; try again in a minute`,
  mailbox_unavailable: msg`the mailbox did not respond`,
  daily_limit_exceeded: msg`held back by the daily quota at Google; try again tomorrow`,
  missing_scope: msg`not allowed: sign in again and tick the box for Gmail`,
  mail_service_disabled: msg`not done: this Google account has no Gmail`,
  no_inbox: msg`not done: the mail server shows no inbox`,
  domain_policy: msg`not allowed by the administrator of your Google account`,
  gmail_api_disabled: msg`not done: the operator has to enable the Gmail API`,
  provider_configuration: msg`not done: your mail provider does not accept this installation of Mailsweep`,
  reauth_required: msg`the connection to your mailbox must be renewed`,
  too_many_labels: msg`not labelled: too many new labels at a time; accept again, or delete some of Mailsweep’s labels first`,
  failed: msg`failed for an unknown reason`,
  in_progress: msg`still being changed; try again in a minute`,
  changed_since: msg`changed since, so left alone`,
  already_undone: msg`already undone`,
};

interface Result {
  status: 'ok' | 'error';
  reason?: FailureReason | UndoFailureReason;
  refusedLabel?: { name: string; alternative: string } | undefined;
}

/** Failures by reason: `2 not in the mailbox any more · 1 refused by the provider`. */
export const describeFailures = (results: readonly Result[]): string => {
  const reasons = results.flatMap(({ status, reason }) => (status === 'error' && reason ? [reason] : []));
  const phrases = countEach(reasons).map(([reason, count]) => `${count} ${i18n._(FAILURE_PHRASES[reason])}`);
  const refused = new Map(
    results.flatMap(({ refusedLabel }) => (refusedLabel ? [[refusedLabel.name, refusedLabel]] : [])),
  );
  const offers = [...refused.values()].map(({ name, alternative }) => t`“${name}”: try “${alternative}”`);
  return [...phrases, ...offers].join(' · ');
};
