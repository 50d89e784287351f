import type { SuggestedAction } from '@mailsweep/contracts';
import { parseSender } from '../mail/sender.ts';
import type { SuggestedMail } from './suggested-mail.ts';
import type { Grouping } from './suggestion-filters.ts';
import { describeReason } from './suggestion-words.ts';

/** What would happen to some emails: how many of them for each action. */
export interface Plan {
  counts: { action: SuggestedAction; count: number; labels: string[] }[];
  total: number;
}

/** Emails that one decision can be about. */
export interface SuggestionGroup {
  key: string;
  title: string;
  /** The address of a sender, or the reason in a sentence. */
  note: string;
  /** The `From` of a sender group, for its sign. */
  from: string | null;
  mails: SuggestedMail[];
  plan: Plan;
  /** Confidence of the least and of the most sure suggestion. From 0 to 1. */
  confidence: { least: number; most: number };
  /** Reasons in words, the most frequent first. */
  reasons: string[];
}

const ACTION_ORDER: SuggestedAction[] = ['archive', 'delete', 'label', 'notify'];

/** Adds up what accepting these emails would do. */
export const toPlan = (mails: readonly SuggestedMail[]): Plan => ({
  total: mails.length,
  counts: ACTION_ORDER.map((action) => {
    const concerned = mails.filter((mail) => mail.suggestion.action === action);
    const labels =
      action === 'label' ? [...new Set(concerned.map((mail) => mail.suggestion.classification))] : [];
    return { action, count: concerned.length, labels };
  }).filter(({ count }) => count > 0),
});

const byFrequency = (names: readonly string[]): string[] => {
  const counts = Map.groupBy(names, (name) => name);
  return [...counts].sort(([, a], [, b]) => b.length - a.length).map(([name]) => name);
};

const toGroup = (key: string, mails: SuggestedMail[], grouping: Grouping): SuggestionGroup => {
  const [newest] = mails;
  const scores = mails.map((mail) => mail.suggestion.confidence_score);
  const reason = describeReason(newest?.suggestion.classification ?? '');
  const sender = parseSender(newest?.from ?? '');
  const isBySender = grouping === 'sender';
  return {
    key,
    title: isBySender ? sender.name : reason.name,
    note: isBySender ? sender.address : reason.why,
    from: isBySender ? (newest?.from ?? '') : null,
    mails,
    plan: toPlan(mails),
    confidence: { least: Math.min(...scores), most: Math.max(...scores) },
    reasons: byFrequency(mails.map((mail) => describeReason(mail.suggestion.classification).name)),
  };
};

/** Groups emails by what a user decides about; the largest group first, of equal ones the surer first. */
export const toSuggestionGroups = (
  mails: readonly SuggestedMail[],
  grouping: Grouping,
): SuggestionGroup[] => {
  const keyOf = (mail: SuggestedMail) =>
    grouping === 'sender' ? parseSender(mail.from).key : mail.suggestion.classification;
  return [...Map.groupBy(mails, keyOf)]
    .map(([key, members]) => toGroup(key, members, grouping))
    .sort((a, b) => b.mails.length - a.mails.length || b.confidence.most - a.confidence.most);
};
