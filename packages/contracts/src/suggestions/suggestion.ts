import { z } from 'zod';
import { EmailSchema } from '../emails/email.ts';
import { SUGGESTED_ACTIONS } from '../values/choices.ts';
import { MAX_CLASSIFICATION_LENGTH } from '../values/limits.ts';

export const SuggestedActionSchema = z.enum(SUGGESTED_ACTIONS);
export type SuggestedAction = z.infer<typeof SuggestedActionSchema>;

const MAX_ACTION_LENGTH = 50;

/**
 * A suggested action. Others than those of {@link SuggestedActionSchema} are advice: shown, stored and counted;
 * accepting them changes nothing in the mailbox.
 */
export const AnySuggestedActionSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_ACTION_LENGTH)
  .refine((text) => !/[\p{Cc}\p{Cf}\p{Cs}]/u.test(text), { error: 'must not contain control characters' })
  .meta({
    description:
      '`archive`, `delete`, `label` and `notify` are carried out when they are accepted. Any other action is advice: accepting it changes nothing in the mailbox.',
  });

/** A classification in a request: only suggestions with this label. */
export const ClassificationFilterSchema = z
  .string()
  .min(1)
  .max(MAX_CLASSIFICATION_LENGTH)
  .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), { error: 'must not contain control characters' });

/** One recommended action for an email. `id` is optional: clients must not require it. */
export const SuggestionSchema = z
  .object({
    action: AnySuggestedActionSchema,
    classification: z.string().min(1).max(MAX_CLASSIFICATION_LENGTH),
    confidence_score: z.number().min(0).max(1),
    id: z.string().max(200).optional(),
  })
  .meta({ id: 'Suggestion', example: { action: 'archive', classification: 'bulk', confidence_score: 0.92 } });
export type Suggestion = z.infer<typeof SuggestionSchema>;

/** A stored suggestion; the best one of an email has the probability that the user accepts it. */
export const StoredSuggestionSchema = SuggestionSchema.extend({
  acceptance: z.number().min(0).max(1).optional().meta({
    description:
      'The probability that the user accepts it, learned from their decisions; of the best suggestion of an email.',
  }),
}).meta({ id: 'StoredSuggestion' });
export type StoredSuggestion = z.infer<typeof StoredSuggestionSchema>;

/** The seven metadata fields of an email that the classification service sees; never its content. */
export const MlRequestItemSchema = EmailSchema.pick({
  id: true,
  from: true,
  subject: true,
  date: true,
  isRead: true,
  category: true,
  attachmentSizeMb: true,
}).meta({ id: 'MlRequestItem' });
export type MlRequestItem = z.infer<typeof MlRequestItemSchema>;

export const EmailWithSuggestionsSchema = MlRequestItemSchema.extend({
  suggestions: z.array(SuggestionSchema),
}).meta({ id: 'EmailWithSuggestions' });
export type EmailWithSuggestions = z.infer<typeof EmailWithSuggestionsSchema>;

/** An email while the classification service is away. */
export const UnclassifiedEmailSchema = EmailSchema.pick({
  id: true,
  from: true,
  subject: true,
  snippet: true,
  date: true,
})
  .extend({ suggestions: z.array(SuggestionSchema).max(0) })
  .meta({ id: 'UnclassifiedEmail' });
export type UnclassifiedEmail = z.infer<typeof UnclassifiedEmailSchema>;

/**
 * Response of `GET /api/v1/suggestions`. With `classified` false, the classification service did not respond, and emails
 * have the form of {@link UnclassifiedEmailSchema}.
 */
export const ListSuggestionsResponseSchema = z
  .object({
    emails: z.array(z.union([EmailWithSuggestionsSchema, UnclassifiedEmailSchema])),
    classified: z.boolean(),
    nextPageToken: z.string().nullable(),
  })
  .meta({ id: 'ListSuggestionsResponse' });
export type ListSuggestionsResponse = z.infer<typeof ListSuggestionsResponseSchema>;
