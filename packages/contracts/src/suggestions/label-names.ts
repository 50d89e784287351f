import { z } from 'zod';
import { findLabelNameError, MAX_LABEL_NAME_LENGTH, MAX_LABEL_NAMES } from '../values/label-name.ts';
import { ClassificationFilterSchema } from './suggestion.ts';

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

/** Labels in the body of `PATCH /api/v1/me/preferences`: omitted fields stay. */
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
