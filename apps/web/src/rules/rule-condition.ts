import type { CreateRuleRequest, Rule } from '@mailsweep/contracts';

interface Subjects {
  senders: { sender: string; from: string }[];
  classifications: string[];
}

/** The senders and the kinds of email that a rule is about. */
export const listSubjects = ({ condition }: Pick<Rule, 'condition'>): Subjects => {
  if (condition.type === 'any') return condition;
  return condition.type === 'sender'
    ? { senders: [condition], classifications: [] }
    : { senders: [], classifications: [condition.classification] };
};

/** The condition of a rule about these senders and kinds. */
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
