import type { SuggestedAction } from '@mailsweep/contracts';
import { parseSender } from '../email/sender.ts';
import type { SuggestedEmail } from './suggested-email.ts';
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
  emails: SuggestedEmail[];
  plan: Plan;
  /** Confidence of the least and of the most sure suggestion. From 0 to 1. */
  confidence: { least: number; most: number };
  /** Reasons in words, the most frequent first. */
  reasons: string[];
}

const ACTION_ORDER: SuggestedAction[] = ['archive', 'delete', 'label', 'notify'];

/** Adds up what accepting these emails would do. */
export const toPlan = (emails: readonly SuggestedEmail[]): Plan => ({
  total: emails.length,
  counts: ACTION_ORDER.map((action) => {
    const concerned = emails.filter((email) => email.suggestion.action === action);
    const labels =
      action === 'label' ? [...new Set(concerned.map((email) => email.suggestion.classification))] : [];
    return { action, count: concerned.length, labels };
  }).filter(({ count }) => count > 0),
});

const byFrequency = (names: readonly string[]): string[] => {
  const counts = Map.groupBy(names, (name) => name);
  return [...counts].sort(([, a], [, b]) => b.length - a.length).map(([name]) => name);
};

const toGroup = (key: string, emails: SuggestedEmail[], grouping: Grouping): SuggestionGroup => {
  const [newest] = emails;
  const scores = emails.map((email) => email.suggestion.confidence_score);
  const reason = describeReason(newest?.suggestion.classification ?? '');
  const sender = parseSender(newest?.from ?? '');
  const isBySender = grouping === 'sender';
  return {
    key,
    title: isBySender ? sender.name : reason.name,
    note: isBySender ? sender.address : reason.why,
    from: isBySender ? (newest?.from ?? '') : null,
    emails,
    plan: toPlan(emails),
    confidence: { least: Math.min(...scores), most: Math.max(...scores) },
    reasons: byFrequency(emails.map((email) => describeReason(email.suggestion.classification).name)),
  };
};

/** Groups emails by what a user decides about; the largest group first, of equal ones the surer first. */
export const toSuggestionGroups = (
  emails: readonly SuggestedEmail[],
  grouping: Grouping,
): SuggestionGroup[] => {
  const keyOf = (email: SuggestedEmail) =>
    grouping === 'sender' ? parseSender(email.from).key : email.suggestion.classification;
  return [...Map.groupBy(emails, keyOf)]
    .map(([key, members]) => toGroup(key, members, grouping))
    .sort((a, b) => b.emails.length - a.emails.length || b.confidence.most - a.confidence.most);
};
