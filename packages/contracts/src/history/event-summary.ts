import { z } from 'zod';
import { SuggestionSchema } from '../suggestions/suggestion.ts';
import { CountsSchema } from '../values/scalars.ts';
import { ConfirmActionSchema } from './recorded-action.ts';

export const DOMAIN_EVENTS = {
  SUGGESTIONS_GENERATED: 'domain.suggestions.generated',
  SUGGESTION_CONFIRMED: 'domain.suggestions.confirmed',
} as const;

export const DomainEventTypeSchema = z.enum([
  DOMAIN_EVENTS.SUGGESTIONS_GENERATED,
  DOMAIN_EVENTS.SUGGESTION_CONFIRMED,
]);
export type DomainEventType = z.infer<typeof DomainEventTypeSchema>;

/** Most emails that `summary.sampledEmails` shows. */
export const SAMPLED_EMAILS_LIMIT = 5;

/** An email with its suggestions as events carry it. */
export const EventEmailSchema = z.object({
  emailId: z.string(),
  subject: z.string(),
  suggestions: z.array(SuggestionSchema),
});
export type EventEmail = z.infer<typeof EventEmailSchema>;

/** The stored part of `domain.suggestions.generated`. */
export const SuggestionsGeneratedSummarySchema = z
  .object({
    totalSuggestions: z.number().int().min(0),
    actionCounts: CountsSchema,
    classificationCounts: CountsSchema,
    sampledEmails: z.array(EventEmailSchema),
  })
  .meta({ id: 'SuggestionsGeneratedSummary' });
export type SuggestionsGeneratedSummary = z.infer<typeof SuggestionsGeneratedSummarySchema>;

/** The stored part of `domain.suggestions.confirmed`. */
export const SuggestionsConfirmedSummarySchema = z
  .object({ totalConfirmed: z.number().int().min(0), action: ConfirmActionSchema })
  .meta({ id: 'SuggestionsConfirmedSummary' });
export type SuggestionsConfirmedSummary = z.infer<typeof SuggestionsConfirmedSummarySchema>;
