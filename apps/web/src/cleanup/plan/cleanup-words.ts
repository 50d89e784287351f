import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { type Cleanup, type CleanupAction, type CleanupError, toOtherLabelName } from '@mailsweep/contracts';
import { countEmails, formatCount } from '../../email/counts.ts';
import { CATEGORY_NAMES, changesEmails, toDone } from '../../email/email-words.ts';
import { describeFreed } from '../../email/sizes.ts';
import { toConsequences } from '../../suggestions/consequences.ts';
import { describeReason as describeClassification } from '../../suggestions/suggestion-words.tsx';

const QUESTIONS: Record<CleanupAction, (emails: string) => string> = {
  archive: (emails) => t`Archive ${emails}?`,
  delete: (emails) => t`Move ${emails} to Trash?`,
  mark_unread: (emails) => t`Mark ${emails} unread?`,
  mark_read: (emails) => t`Mark ${emails} read?`,
  label: (emails) => t`Label ${emails}?`,
  accept: (emails) => t`Accept the suggestions for ${emails}?`,
};

const EXCLUDED: [keyof Cleanup['excluded'], (count: string) => string][] = [
  ['unclear_sender', (count) => t`${count} with an unclear sender`],
  ['protected', (count) => t`${count} from protected senders`],
  ['starred', (count) => t`${count} starred`],
  ['important', (count) => t`${count} marked important`],
  ['snoozed', (count) => t`${count} snoozed or scheduled`],
  ['conversation', (count) => t`${count} in conversations you wrote in`],
  ['written_to', (count) => t`${count} from people you have written to`],
  ['invitation', (count) => t`${count} with a calendar invitation`],
  ['notify', (count) => t`${count} that you should see first`],
  ['receipt', (count) => t`${count} with a receipt`],
  ['handled', (count) => t`${count} that the rule acted on before, or that you put back`],
  [
    'received_later',
    (count) => t`${count} sent long enough ago, but received later: ages count from when they were received`,
  ],
];

/** Why a cleanup is paused or failed. */
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
  no_inbox: msg`The mail server shows no mailbox as your inbox.`,
  gmail_api_disabled: msg`The operator has to enable the Gmail API.`,
  provider_configuration: msg`Your mail provider does not accept this installation of Mailsweep.`,
};

/** `Archive 3,362 emails?` */
export const askToRun = (action: CleanupAction, count: number): string =>
  QUESTIONS[action](countEmails(count));

const countSenders = (count: number) => plural(count, { one: '# sender', other: '# senders' });
const toName = (classification: string) => describeClassification(classification).name;

/** Filters of a selection, except the age. */
const describeFilters = (selection: Cleanup['selection']): (string | false | undefined)[] => {
  switch (selection.type) {
    case 'filter': {
      const { scope, unread, category, minAttachmentSize: size, search } = selection;
      return [
        scope === 'all' ? t`All mail` : t`Inbox`,
        category && i18n._(CATEGORY_NAMES[category]),
        unread && t`unread`,
        size !== undefined && t`attachments of more than ${size} MB`,
        search && `“${search}”`,
      ];
    }
    case 'senders':
      return [countSenders(selection.senders.length)];
    case 'suggestions': {
      const { sender, classification } = selection;
      return [t`with suggestions`, sender && countSenders(1), classification && toName(classification)];
    }
    case 'any': {
      const { senders, classifications } = selection;
      return [senders.length > 0 && countSenders(senders.length), ...classifications.map(toName)];
    }
  }
};

/** `all but the newest 3`, also of each of several senders. */
export const describeNewest = (count: number, isOfEach = false): string => {
  const words = plural(count, { one: 'all but the newest', other: 'all but the newest #' });
  return isOfEach ? t`${words} of each sender` : words;
};

/** The newest emails that a selection leaves out, as {@link describeNewest} says; undefined for none. */
export const describeKept = (selection: Cleanup['selection']): string | undefined =>
  'keepNewest' in selection && selection.keepNewest
    ? describeNewest(selection.keepNewest, selection.type === 'senders' && selection.senders.length > 1)
    : undefined;

/** The selection of a cleanup: `Inbox · Promotions · older than 30 days`. */
export const describeSelection = (selection: Cleanup['selection']): string => {
  const { olderThan = 0 } = selection;
  const age = plural(olderThan, { one: 'older than # day', other: 'older than # days' });
  return [...describeFilters(selection), olderThan > 0 && age, describeKept(selection)]
    .filter(Boolean)
    .join(' · ');
};

/** `1,000 of 3,362` */
export const describeProgress = ({ processed, total }: Cleanup): string =>
  t`${{ done: formatCount(processed) }} of ${{ total: formatCount(total) }}`;

/** What a cleanup waits for, or why it stopped; may be empty. */
export const describeReason = ({ error, label }: Cleanup): string => {
  if (error === 'label_refused' && label) {
    return t`Your mail provider does not take “${label}” as a label. Choose another name, such as “${{ alternative: toOtherLabelName(label) }}”.`;
  }
  const reason = error && REASONS[error];
  return reason ? i18n._(reason) : '';
};

/** `Left out: 4 starred, 11 in conversations you wrote in.` May be empty. */
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

/** The outcome of a cleanup: `687 archived, 102 moved to Trash`, the space freed, and what was left out. */
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
