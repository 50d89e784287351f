import {
  AnySuggestedActionSchema,
  MAX_CLASSIFICATION_LENGTH,
  MlRequestItemSchema,
} from '@mailsweep/contracts';
import { z } from 'zod';
import type { LabelledEmail } from '../labelled-email.ts';

const LineSchema = z.strictObject({
  email: MlRequestItemSchema,
  /** One action, or several that are all right; `none` where nothing is to be suggested. */
  action: z.union([
    AnySuggestedActionSchema.transform((action): [string] => [action]),
    z.tuple([AnySuggestedActionSchema], AnySuggestedActionSchema),
  ]),
  classification: z.string().min(1).max(MAX_CLASSIFICATION_LENGTH).optional(),
  kind: z.string().min(1).optional(),
});

const parseLine = (line: string, number: number): LabelledEmail => {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new Error(`Line ${number} is not JSON.`);
  }
  const { data, error } = LineSchema.safeParse(json);
  if (data)
    return { email: data.email, actions: data.action, classification: data.classification, kind: data.kind };
  const [issue] = error.issues;
  throw new Error(`Line ${number}, ${issue?.path.join('.') || 'the whole'}: ${issue?.message}`);
};

/**
 * Reads labelled emails from JSON Lines. Empty lines are skipped.
 *
 * @throws {Error} naming the first line that is not as it has to be, and its field; never what the line holds
 */
export const parseLabelledEmails = (text: string): LabelledEmail[] => {
  const emails = text
    .split(/\r?\n/)
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(line, index + 1)]));
  if (emails.length === 0) throw new Error('There are no emails in it.');
  const seen = new Set<string>();
  for (const { email } of emails) {
    // Answers are told apart by their ids.
    if (seen.has(email.id)) throw new Error('Two emails have the same id.');
    seen.add(email.id);
  }
  return emails;
};
