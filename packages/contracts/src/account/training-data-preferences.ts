import { z } from 'zod';
import { SENDER_REDUCTIONS, SUBJECT_REDUCTIONS } from '../values/choices.ts';

const EnabledSchema = z.boolean().meta({
  description:
    'Whether the operator may export decisions about suggestions as training data. Only decisions made while it is enabled are exported.',
});

export const SenderReductionSchema = z
  .enum(SENDER_REDUCTIONS, { error: `must be one of ${SENDER_REDUCTIONS.join(', ')}` })
  .meta({
    description:
      'What an export has of the sender: all of it, the domain of the address, or an HMAC of the address.',
  });
export type SenderReduction = z.infer<typeof SenderReductionSchema>;

export const SubjectReductionSchema = z
  .enum(SUBJECT_REDUCTIONS, { error: `must be one of ${SUBJECT_REDUCTIONS.join(', ')}` })
  .meta({ description: 'What an export has of the subject: all of it, nothing, or an HMAC.' });
export type SubjectReduction = z.infer<typeof SubjectReductionSchema>;

export const TrainingDataPreferencesSchema = z
  .object({ enabled: EnabledSchema, sender: SenderReductionSchema, subject: SubjectReductionSchema })
  .meta({ id: 'TrainingDataPreferences' });
export type TrainingDataPreferences = z.infer<typeof TrainingDataPreferencesSchema>;

/** Changes of {@link TrainingDataPreferencesSchema}: omitted fields stay. */
export const UpdateTrainingDataPreferencesSchema = z.strictObject({
  enabled: EnabledSchema.optional(),
  sender: SenderReductionSchema.optional(),
  subject: SubjectReductionSchema.optional(),
});
export type UpdateTrainingDataPreferences = z.infer<typeof UpdateTrainingDataPreferencesSchema>;
