import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { Cleanup, CleanupAction, CleanupError } from '@mailsweep/contracts';
import { changesEmails, describeWork, toDone } from '../../email/action-words.ts';
import { countEmails, formatCount } from '../../email/counts.ts';
import { describeFreed } from '../../email/sizes.ts';
import { toConsequences } from '../../suggestions/consequences.ts';

const QUESTIONS: Record<CleanupAction, (emails: string) => string> = {
  archive: (emails) => t`Archive ${emails}?`,
  delete: (emails) => t`Move ${emails} to Trash?`,
  mark_unread: (emails) => t`Mark ${emails} unread?`,
  mark_read: (emails) => t`Mark ${emails} read?`,
  label: (emails) => t`Label ${emails}?`,
  accept: (emails) => t`Accept the suggestions for ${emails}?`,
};

const EXCLUDED: [keyof Cleanup['excluded'], (count: string) => string][] = [
  ['protected', (count) => t`${count} from protected senders`],
  ['starred', (count) => t`${count} starred`],
  ['important', (count) => t`${count} marked important`],
  ['conversation', (count) => t`${count} in conversations you wrote in`],
  ['invitation', (count) => t`${count} with a calendar invitation`],
  ['notify', (count) => t`${count} that you should see first`],
  ['receipt', (count) => t`${count} with a receipt`],
  ['handled', (count) => t`${count} that the rule acted on before, or that you put back`],
];

/** Why a cleanup is paused, or failed; the user can do something about the first ones. */
const REASONS: Partial<Record<CleanupError, MessageDescriptor>> = {
  reauth_required: msg`The connection to your mailbox must be renewed: sign in again.`,
  missing_scope: msg`Access to Gmail was not granted: sign in again and tick the box for Gmail.`,
  plan_outdated: msg`Your mail provider no longer tells what changed since it was planned: start again.`,
  daily_limit_exceeded: msg`The daily quota at Google is used up.`,
  rate_limited: msg`Your mail provider’s limits held it up.`,
  mailbox_unavailable: msg`Your mail provider does not respond.`,
  in_progress: msg`Other changes of the mailbox are running.`,
  forbidden: msg`Your mail provider refused a change.`,
  domain_policy: msg`The administrator of your Google account does not allow Mailsweep.`,
  mail_service_disabled: msg`This Google account has no Gmail.`,
  gmail_api_disabled: msg`The operator has to enable the Gmail API.`,
  provider_configuration: msg`Your mail provider does not accept this installation of Mailsweep.`,
};

/** `Archive 3,362 emails?` */
export const askToRun = (action: CleanupAction, count: number): string =>
  QUESTIONS[action](countEmails(count));

/** `Archiving 3,362 emails…` */
export const describeStart = ({ action, total }: Pick<Cleanup, 'action' | 'total'>): string =>
  describeWork(action, total);

/** `1,000 of 3,362` */
export const describeProgress = ({ processed, total }: Cleanup): string =>
  t`${{ done: formatCount(processed) }} of ${{ total: formatCount(total) }}`;

/** What a cleanup waits for, or why it stopped; empty when there is nothing to say. */
export const describeReason = ({ error }: Cleanup): string => {
  const reason = error && REASONS[error];
  return reason ? i18n._(reason) : '';
};

/** `Left out: 4 starred, 11 in conversations you wrote in.` Empty when nothing is. */
export const describeExclusions = (excluded: Cleanup['excluded']): string => {
  const parts = EXCLUDED.flatMap(([reason, toWords]) => {
    const count = excluded[reason] ?? 0;
    return count > 0 ? [toWords(formatCount(count))] : [];
  });
  return parts.length > 0 ? t`Left out: ${{ reasons: parts.join(', ') }}.` : '';
};

/** `687 archived, 102 moved to Trash, 50 labelled`; of one action `687 emails archived`. */
const describeChanges = ({ action, changed, changedActions }: Cleanup): string => {
  const changes = toConsequences(changedActions).counts.filter((change) => changesEmails(change.action));
  const [only] = changes;
  if (only && changes.length === 1) return `${countEmails(only.count)} ${toDone(only.action)}`;
  if (changes.length > 1)
    return changes.map((change) => `${formatCount(change.count)} ${toDone(change.action)}`).join(', ');
  return `${countEmails(changed)} ${toDone(action)}`;
};

/** What a cleanup did: `687 archived, 102 moved to Trash`, the space that it frees, and what became of the rest. */
export const describeResult = (cleanup: Cleanup): { title: string; detail: string } => {
  const { unchanged, skipped, failed, changedBytes, excluded } = cleanup;
  const rest: [number, string][] = [
    [unchanged, t`needed no change`],
    [skipped, t`left alone: protected, answered or moved meanwhile`],
    [failed, t`could not be processed`],
  ];
  const parts = rest.filter(([count]) => count > 0).map(([count, words]) => `${formatCount(count)} ${words}`);
  const freed = changedBytes > 0 ? describeFreed(changedBytes) : '';
  return {
    title: describeChanges(cleanup),
    detail: [freed, ...parts, describeExclusions(excluded)].filter(Boolean).join(' · '),
  };
};
