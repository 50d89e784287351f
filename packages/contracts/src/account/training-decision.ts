import { z } from 'zod';
import { MlRequestItemSchema, SuggestionSchema } from '../suggestions/suggestion.ts';
import { TimestampSchema } from '../values/scalars.ts';
import { SenderReductionSchema, SubjectReductionSchema } from './training-data-preferences.ts';

/** HMAC-SHA-256 in hex, with a key of the installation. */
const PseudonymSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** A line of the export of training data: one decision about a suggestion (docs/TRAINING-DATA.md). */
export const TrainingDecisionSchema = z
  .object({
    user: PseudonymSchema.meta({
      description: 'Pseudonym of the user: the same in every export of an installation.',
    }),
    email: MlRequestItemSchema.extend({
      id: PseudonymSchema.meta({ description: 'Pseudonym of the email.' }),
      from: z.string().meta({ description: 'Reduced as `reductions.sender` says.' }),
      subject: z.string().meta({ description: 'Reduced as `reductions.subject` says.' }),
    }).meta({ id: 'ReducedEmail' }),
    reductions: z.object({ sender: SenderReductionSchema, subject: SubjectReductionSchema }),
    suggestion: SuggestionSchema.omit({ id: true }).meta({ id: 'DecidedSuggestion' }),
    accepted: z.boolean(),
    decidedAt: TimestampSchema,
  })
  .meta({ id: 'TrainingDecision' });
export type TrainingDecision = z.infer<typeof TrainingDecisionSchema>;
