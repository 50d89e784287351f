import { type CleanupSelection, type CreateCleanupRequest, RuleActionSchema } from '@mailsweep/contracts';
import type { RuleRow } from './rule-row.repository.ts';

/** A cleanup that a rule makes. */
type RuleRequest = CreateCleanupRequest & {
  selection: Extract<CleanupSelection, { type: 'senders' | 'suggestions' | 'any' }>;
};

/** The cleanup that a rule makes. While keys are rotated, messages may still have the former keys of its senders. */
export const toCleanupRequest = (rule: RuleRow): RuleRequest => {
  const { classifications, olderThan, label } = rule;
  const senders = rule.senders.flatMap(({ key, formerKey }) => [
    key,
    ...(formerKey === null ? [] : [formerKey]),
  ]);
  const minConfidence = rule.minConfidence ?? 1;
  const [classification] = classifications;
  // Clocks differ: what is of any age has no bound.
  const selected = { ...(olderThan > 0 && { olderThan }), except: [] };
  return {
    action: RuleActionSchema.parse(rule.action),
    ...(label === null ? {} : { label }),
    selection: toSelection(),
  };

  function toSelection(): RuleRequest['selection'] {
    if (classification === undefined) return { type: 'senders', senders, ...selected };
    return senders.length === 0 && classifications.length === 1
      ? { type: 'suggestions', classification, minConfidence, ...selected }
      : { type: 'any', senders, classifications, minConfidence, ...selected };
  }
};
