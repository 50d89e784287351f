import { type CleanupSelection, type CreateCleanupRequest, RuleActionSchema } from '@mailsweep/contracts';
import type { RuleRow } from './rule-row.ts';

/** A cleanup that a rule makes. */
type RuleRequest = CreateCleanupRequest & {
  selection: Extract<CleanupSelection, { type: 'senders' | 'suggestions' }>;
};

const toSenderId = (key: Uint8Array): string => Buffer.from(key).toString('hex');

/** The cleanup that a rule makes. While keys are rotated, messages may still have the former key of its sender. */
export const toCleanupRequest = (rule: RuleRow): RuleRequest => {
  const { senderKey, formerKey, classification, minConfidence, olderThan, label } = rule;
  // Clocks differ: what is of any age has no bound.
  const selected = { ...(olderThan > 0 && { olderThan }), except: [] };
  return {
    action: RuleActionSchema.parse(rule.action),
    ...(label === null ? {} : { label }),
    selection:
      senderKey === null
        ? {
            type: 'suggestions',
            classification: classification ?? '',
            minConfidence: minConfidence ?? 1,
            ...selected,
          }
        : {
            type: 'senders',
            senders: [senderKey, ...(formerKey === null ? [] : [formerKey])].map(toSenderId),
            ...selected,
          },
  };
};
