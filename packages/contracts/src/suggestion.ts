import { z } from 'zod';
import { EmailSchema } from './email.ts';

/** What the classification service may recommend for an email. */
export const SuggestedActionSchema = z.enum(['archive', 'delete', 'label', 'notify']);
export type SuggestedAction = z.infer<typeof SuggestedActionSchema>;

/** Longest classification label; it also becomes the tail of a mailbox label's name. */
const MAX_CLASSIFICATION_LENGTH = 100;

/** One recommended action for an email. `id` is optional: clients must not require it. */
export const SuggestionSchema = z
  .object({
    action: SuggestedActionSchema,
    classification: z.string().min(1).max(MAX_CLASSIFICATION_LENGTH),
    confidence_score: z.number().min(0).max(1),
    id: z.string().max(200).optional(),
  })
  .meta({ id: 'Suggestion', example: { action: 'archive', classification: 'bulk', confidence_score: 0.92 } });
export type Suggestion = z.infer<typeof SuggestionSchema>;

/** An email with what the classification service suggests for it. */
export const EmailWithSuggestionsSchema = EmailSchema.pick({
  id: true,
  from: true,
  subject: true,
  date: true,
  isRead: true,
  category: true,
  attachmentSizeMb: true,
})
  .extend({ suggestions: z.array(SuggestionSchema) })
  .meta({ id: 'EmailWithSuggestions' });
export type EmailWithSuggestions = z.infer<typeof EmailWithSuggestionsSchema>;

/** The form an email takes while the classification service is unavailable. */
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
 * Response of `GET /api/v1/suggestions`. With `classified` false the classification service did not respond:
 * the emails have the {@link UnclassifiedEmailSchema} form and no suggestions.
 */
export const ListSuggestionsResponseSchema = z
  .object({
    emails: z.array(z.union([EmailWithSuggestionsSchema, UnclassifiedEmailSchema])),
    classified: z.boolean(),
    nextPageToken: z.string().nullable(),
  })
  .meta({ id: 'ListSuggestionsResponse' });
export type ListSuggestionsResponse = z.infer<typeof ListSuggestionsResponseSchema>;
