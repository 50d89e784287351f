import type { ApiClient } from '@mailsweep/client';
import { type CreateRuleRequest, MAX_PER_PAGE, type Rule } from '@mailsweep/contracts';
import { queryOptions } from '@tanstack/react-query';
import { RULES_KEY } from '../api/query-keys.ts';

interface Subjects {
  senders: { sender: string; from: string }[];
  classifications: string[];
}

/** Senders and kinds of email of a rule. */
export const listSubjects = ({ condition }: Pick<Rule, 'condition'>): Subjects => {
  if (condition.type === 'any') return condition;
  return condition.type === 'sender'
    ? { senders: [condition], classifications: [] }
    : { senders: [], classifications: [condition.classification] };
};

/** @param key - the id of a sender, or a classification */
export const isAbout = (rule: Rule, key: string): boolean => {
  const { senders, classifications } = listSubjects(rule);
  return classifications.includes(key) || senders.some(({ sender }) => sender === key);
};

export const toCondition = (
  { senders, classifications }: { senders: readonly string[]; classifications: readonly string[] },
  minConfidence: number,
): CreateRuleRequest['condition'] => {
  const [sender, classification] = [senders[0], classifications[0]];
  if (senders.length + classifications.length === 1) {
    if (sender !== undefined) return { type: 'sender', sender };
    if (classification !== undefined) return { type: 'classification', classification, minConfidence };
  }
  return { type: 'any', senders: [...senders], classifications: [...classifications], minConfidence };
};

/** Poll interval while a rule runs or is undone. Unit: milliseconds. */
export const FOLLOW_INTERVAL_MS = 2_000;
const IN_FLIGHT = ['queued', 'running', 'waiting'];

/** The user's rules, newest first; all fit on a page. */
export const rulesQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: RULES_KEY,
    queryFn: async ({ signal }) =>
      (await client.listRules({ query: { page: 1, perPage: MAX_PER_PAGE }, signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.some(({ lastRun, undoing }) => undoing > 0 || IN_FLIGHT.includes(lastRun?.state ?? ''))
        ? FOLLOW_INTERVAL_MS
        : false,
  });

/** Kinds of email that suggestions have, most frequent first. */
export const ruleKindsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['rule-kinds'] as const,
    queryFn: async ({ signal }) => {
      const query = { page: 1, perPage: MAX_PER_PAGE, by: 'classification' } as const;
      const groups = await client.listSuggestionGroups({ query, signal });
      return groups.data.map(({ key }) => key);
    },
  });
