import { plural, t } from '@lingui/core/macro';
import type { Rule } from '@mailsweep/contracts';
import { countEmails, formatShare } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { describeLabel, describeReason } from '../suggestions/suggestion-words.ts';
import { formatAgo } from '../time/format-time.ts';
import { listSubjects } from './rule-condition.ts';

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

const describeAction = (rule: Rule): string => {
  const { action, condition, label } = rule;
  const labelName = describeLabel(label ?? '');
  if (condition.type === 'sender') {
    const { name } = parseSender(condition.from);
    switch (action) {
      case 'archive':
        return t`Archive email from ${{ name }}`;
      case 'delete':
        return t`Move email from ${{ name }} to Trash`;
      case 'mark_read':
        return t`Mark email from ${{ name }} read`;
      case 'label':
        return t`Label email from ${{ name }} as ${{ labelName }}`;
    }
  }
  if (condition.type === 'any') {
    const names = nameSubjects(rule);
    switch (action) {
      case 'archive':
        return t`Archive email: ${names}`;
      case 'delete':
        return t`Move email to Trash: ${names}`;
      case 'mark_read':
        return t`Mark email read: ${names}`;
      case 'label':
        return t`Label email as ${{ labelName }}: ${names}`;
    }
  }
  const { name: kind } = describeReason(condition.classification);
  switch (action) {
    case 'archive':
      return t`Archive “${{ kind }}”`;
    case 'delete':
      return t`Move “${{ kind }}” to Trash`;
    case 'mark_read':
      return t`Mark “${{ kind }}” read`;
    case 'label':
      return t`Label “${{ kind }}” as ${{ labelName }}`;
  }
};

/** `Archive email from Pixel Deals after 7 days` */
export const describeRule = (rule: Rule): string => {
  const sentence = describeAction(rule);
  if (rule.olderThan === 0) return sentence;
  const age = countDays(rule.olderThan);
  return rule.condition.type === 'any'
    ? t`${{ sentence }} (after ${{ age }})`
    : t`${{ sentence }} after ${{ age }}`;
};

/** How sure the classification has to be; undefined for a rule of senders alone. */
export const describeConfidence = (rule: Rule): string | undefined =>
  rule.condition.type !== 'sender' && listSubjects(rule).classifications.length > 0
    ? t`Confidence of at least ${{ share: formatShare(rule.condition.minConfidence) }}.`
    : undefined;

/** When a rule last did something, and how much it did. */
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

/** While the worker undoes runs. */
export const describeUndoing = (runs: number): string =>
  plural(runs, { one: 'Undoing # run…', other: 'Undoing # runs…' });
