import { z } from 'zod';
import { ClassificationFilterSchema } from './suggestion.ts';

/** Most classifications whose label a user may name. */
const MAX_LABEL_NAMES = 50;
/** Gmail takes label names of up to 225 characters. */
export const MAX_LABEL_NAME_LENGTH = 225;

/** What Gmail calls its own labels, as {@link toComparable} writes it. */
const SYSTEM_LABELS = new Set([
  'all mail',
  'chat',
  'chats',
  'draft',
  'drafts',
  'important',
  'inbox',
  'muted',
  'scheduled',
  'sent',
  'snoozed',
  'spam',
  'starred',
  'trash',
  'unread',
]);
const SYSTEM_PREFIX = /^(category |\[(gmail|google mail)\])/;

/** Names conflict at Gmail that differ only in case, or in what separates their words. */
const toComparable = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s/_.-]+/g, ' ')
    .trim();

const isSystemLabel = (name: string): boolean =>
  SYSTEM_LABELS.has(toComparable(name)) || SYSTEM_PREFIX.test(toComparable(name));

/** Labels without a name of the user's are below this one. */
const isDefaultName = (name: string): boolean => /^mailsweep($| )/.test(toComparable(name));

/** What is wrong with the name of a label; undefined for a possible one. */
export const findLabelNameError = (name: string): string | undefined => {
  if (/[\p{Cc}\p{Cf}]/u.test(name)) return 'must not contain control characters';
  if (!name.split('/').every((part) => part.trim() !== '' && part.trim() === part))
    return 'must have a name before and after each slash, without spaces beside it';
  if (isSystemLabel(name)) return 'must not be the name of a label of Gmail itself';
  if (isDefaultName(name)) return 'must not begin with Mailsweep, as the names do that hold without a choice';
  return undefined;
};

const OwnLabelNameSchema = z
  .string()
  .trim()
  .normalize('NFC')
  .min(1, { error: 'must not be empty', abort: true })
  .max(MAX_LABEL_NAME_LENGTH)
  .superRefine((name, context) => {
    const message = findLabelNameError(name);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

const DESCRIPTION =
  'Names of the labels that accepted `label` suggestions add, by classification. Without a name it is `Mailsweep/<classification>`.';

/** The names that the user chose for labels, by classification. */
export const LabelNamesSchema = z
  .record(z.string(), z.string())
  .meta({ description: DESCRIPTION, example: { receipt: 'Receipts' } });
export type LabelNames = z.infer<typeof LabelNamesSchema>;

/** The part of the body of `PATCH /api/v1/me/preferences` about labels: what is left out stays as it is. */
export const UpdateLabelNamesSchema = z
  .record(ClassificationFilterSchema, OwnLabelNameSchema.nullable())
  .refine((names) => Object.keys(names).length <= MAX_LABEL_NAMES, {
    error: `must name at most ${MAX_LABEL_NAMES} classifications`,
  })
  .meta({
    description: `${DESCRIPTION} null: no name of its own any more.`,
    example: { receipt: 'Receipts' },
  });
export type UpdateLabelNames = z.infer<typeof UpdateLabelNamesSchema>;

/** Applies changes to the names that the user chose before. */
export const mergeLabelNames = (before: LabelNames, changes: UpdateLabelNames = {}): LabelNames =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry): entry is [string, string] => entry[1] !== null),
  );

/** Why names can't be stored together, and which classification is to blame. */
export interface LabelNamesError {
  classification: string;
  message: string;
}

/** What is wrong with the names of several classifications: two that Gmail takes for one, or too many. */
export const findLabelNamesError = (names: LabelNames): LabelNamesError | undefined => {
  const known = new Map<string, string>();
  for (const [classification, name] of Object.entries(names)) {
    const other = known.get(toComparable(name));
    if (other !== undefined) return { classification, message: `must differ from the name for ${other}` };
    if (known.size === MAX_LABEL_NAMES) {
      return { classification, message: `is one name too many: at most ${MAX_LABEL_NAMES}` };
    }
    known.set(toComparable(name), classification);
  }
  return undefined;
};
