import {
  AnySuggestedActionSchema,
  MAX_CLASSIFICATION_LENGTH,
  MlRequestItemSchema,
  TrainingDecisionSchema,
} from '@mailsweep/contracts';
import { z } from 'zod';
import { type LabelledEmail, NONE } from '../labelled-email.ts';

const LabelledLineSchema = z.strictObject({
  email: MlRequestItemSchema,
  /** One action, or several that are all right; `none` where nothing is to be suggested. */
  action: z.union([
    AnySuggestedActionSchema.transform((action): [string] => [action]),
    z.tuple([AnySuggestedActionSchema], AnySuggestedActionSchema),
  ]),
  classification: z.string().min(1).max(MAX_CLASSIFICATION_LENGTH).optional(),
  kind: z.string().min(1).optional(),
});

/** A line of the export of training data. Of a rejection only this is known: the suggestion was not wanted. */
const DecisionLineSchema = TrainingDecisionSchema.transform(
  ({ email, suggestion: { action, classification }, accepted }): LabelledEmail =>
    accepted ? { email, actions: [action], classification } : { email, actions: [NONE] },
);

const LineSchema = LabelledLineSchema.transform(
  ({ action, ...line }): LabelledEmail => ({ ...line, actions: action }),
);

interface Line {
  labelled: LabelledEmail;
  isDecision: boolean;
}

const parseLine = (line: string, number: number): Line => {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new Error(`Line ${number} is not JSON.`);
  }
  const isDecision = typeof json === 'object' && json !== null && 'decidedAt' in json;
  const { data, error } = (isDecision ? DecisionLineSchema : LineSchema).safeParse(json);
  if (data) return { labelled: data, isDecision };
  const [issue] = error.issues;
  throw new Error(`Line ${number}, ${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
};

/**
 * Reads labelled emails from JSON Lines, or decisions from an export of training data, of which the last about an email
 * counts. Empty lines are skipped.
 *
 * @throws {Error} naming the first line that is not as it has to be, and its field; never what the line holds
 */
export const parseLabelledEmails = (text: string): LabelledEmail[] => {
  const lines = text
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(line, index + 1)]));
  if (lines.length === 0) throw new Error('There are no emails in it.');
  const emails = new Map<string, LabelledEmail>();
  for (const { labelled, isDecision } of lines) {
    // Responses are told apart by their ids.
    if (emails.has(labelled.email.id) && !isDecision) throw new Error('Two emails have the same id.');
    emails.set(labelled.email.id, labelled);
  }
  return [...emails.values()];
};
