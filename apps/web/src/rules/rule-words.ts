import { plural, t } from '@lingui/core/macro';
import type { Rule, RuleAction } from '@mailsweep/contracts';
import { describeNewest } from '../cleanup/plan/cleanup-words.ts';
import { countEmails, formatShare } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { describeLabel, describeReason } from '../suggestions/suggestion-words.tsx';
import { formatAgo } from '../time/format-time.tsx';
import { listSubjects } from './rules-query.ts';

/** `7 days` */
export const countDays = (days: number): string => plural(days, { one: '# day', other: '# days' });

/** `Pixel Deals, “Bulk email”` */
const nameSubjects = (rule: Rule): string => {
  const { senders, classifications } = listSubjects(rule);
  return [
    ...senders.map(({ from }) => parseSender(from).name),
    ...classifications.map((key) => t`“${{ kind: describeReason(key).name }}”`),
  ].join(', ');
};

type RuleWords = Record<RuleAction, (subject: string, labelName: string) => string>;

const ACTION_WORDS: Record<Rule['condition']['type'], RuleWords> = {
  sender: {
    archive: (name) => t`Archive email from ${name}`,
    delete: (name) => t`Move email from ${name} to Trash`,
    mark_read: (name) => t`Mark email from ${name} read`,
    label: (name, labelName) => t`Label email from ${name} as ${labelName}`,
  },
  classification: {
    archive: (kind) => t`Archive “${kind}”`,
    delete: (kind) => t`Move “${kind}” to Trash`,
    mark_read: (kind) => t`Mark “${kind}” read`,
    label: (kind, labelName) => t`Label “${kind}” as ${labelName}`,
  },
  any: {
    archive: (names) => t`Archive email: ${names}`,
    delete: (names) => t`Move email to Trash: ${names}`,
    mark_read: (names) => t`Mark email read: ${names}`,
    label: (names, labelName) => t`Label email as ${labelName}: ${names}`,
  },
};

const describeAction = (rule: Rule): string => {
  const { action, condition, label } = rule;
  const subject =
    condition.type === 'classification' ? describeReason(condition.classification).name : nameSubjects(rule);
  return ACTION_WORDS[condition.type][action](subject, describeLabel(label ?? ''));
};

/** `Archive email from Pixel Deals after 7 days, all but the newest 3` */
export const describeRule = (rule: Rule): string => {
  const sentence = describeWhen(rule);
  if (!rule.keepNewest) return sentence;
  const kept = describeNewest(rule.keepNewest, rule.condition.type === 'any');
  return t`${{ sentence }}, ${{ kept }}`;
};

const describeWhen = (rule: Rule): string => {
  const sentence = describeAction(rule);
  if (rule.olderThan === 0) return sentence;
  const age = countDays(rule.olderThan);
  return rule.condition.type === 'any'
    ? t`${{ sentence }} (after ${{ age }})`
    : t`${{ sentence }} after ${{ age }}`;
};

/** The confidence needed; undefined for a rule of senders alone. */
export const describeConfidence = (rule: Rule): string | undefined =>
  rule.condition.type !== 'sender' && listSubjects(rule).classifications.length > 0
    ? t`Confidence of at least ${{ share: formatShare(rule.condition.minConfidence) }}.`
    : undefined;

/** When a rule last acted, and on how much. */
export const describeRuns = ({ lastRun, checkedAt, counts, enabled }: Rule, now: Date): string => {
  if (lastRun === null && checkedAt !== null) {
    return t`No matching email yet, last checked ${{ ago: formatAgo(new Date(checkedAt), now) }}.`;
  }
  if (lastRun === null) {
    return enabled ? t`Not run yet: it runs after the next check of your mailbox.` : t`Not run yet.`;
  }
  const ago = formatAgo(new Date(lastRun.at), now);
  const parts = [
    t`Last run ${{ ago }}: ${{ emails: countEmails(lastRun.actions) }}.`,
    ...(counts.actions > 0 ? [t`In total: ${{ emails: countEmails(counts.actions) }}.`] : []),
    ...(counts.undone > 0 ? [t`Undone: ${{ emails: countEmails(counts.undone) }}.`] : []),
  ];
  return parts.join(' ');
};

export const describeUndoing = (runs: number): string =>
  plural(runs, { one: 'Undoing # run…', other: 'Undoing # runs…' });
