import { z } from 'zod';
import { type EmailWithSuggestions, type Suggestion, SuggestionSchema } from '../suggestions/suggestion.ts';
import { CountSchema, type Counts, CountsSchema, TimestampSchema } from '../values/scalars.ts';
import { type ConfirmAction, ConfirmActionSchema } from './recorded-action.ts';

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
    totalSuggestions: CountSchema,
    actionCounts: CountsSchema,
    classificationCounts: CountsSchema,
    sampledEmails: z.array(EventEmailSchema),
  })
  .meta({ id: 'SuggestionsGeneratedSummary' });
export type SuggestionsGeneratedSummary = z.infer<typeof SuggestionsGeneratedSummarySchema>;

/** The stored part of `domain.suggestions.confirmed`. */
export const SuggestionsConfirmedSummarySchema = z
  .object({ totalConfirmed: CountSchema, action: ConfirmActionSchema })
  .meta({ id: 'SuggestionsConfirmedSummary' });
export type SuggestionsConfirmedSummary = z.infer<typeof SuggestionsConfirmedSummarySchema>;

export const SuggestionsGeneratedEventSchema = z
  .object({
    type: z.literal(DOMAIN_EVENTS.SUGGESTIONS_GENERATED),
    userId: z.string(),
    suggestions: z.array(EventEmailSchema),
    summary: SuggestionsGeneratedSummarySchema,
    generatedAt: TimestampSchema,
  })
  .meta({ id: 'SuggestionsGeneratedEvent' });
export type SuggestionsGeneratedEvent = z.infer<typeof SuggestionsGeneratedEventSchema>;

/** The user confirmed or rejected suggestions for one or more emails. */
export const SuggestionsConfirmedEventSchema = z
  .object({
    type: z.literal(DOMAIN_EVENTS.SUGGESTION_CONFIRMED),
    userId: z.string(),
    action: ConfirmActionSchema,
    emailIds: z.array(z.string()),
    summary: SuggestionsConfirmedSummarySchema,
    generatedAt: TimestampSchema,
  })
  .meta({ id: 'SuggestionsConfirmedEvent' });
export type SuggestionsConfirmedEvent = z.infer<typeof SuggestionsConfirmedEventSchema>;

export const DomainEventSchema = z.discriminatedUnion('type', [
  SuggestionsGeneratedEventSchema,
  SuggestionsConfirmedEventSchema,
]);
export type DomainEvent = z.infer<typeof DomainEventSchema>;

/** The fields of every event, which stored and forwarded ones keep. */
export const DomainEventHeadSchema = z.discriminatedUnion('type', [
  SuggestionsGeneratedEventSchema.omit({ suggestions: true }),
  SuggestionsConfirmedEventSchema.pick({ type: true, userId: true, summary: true, generatedAt: true }),
]);
export type DomainEventHead = z.infer<typeof DomainEventHeadSchema>;

const countBy = (names: string[]): Counts => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
};

/**
 * Builds the event for newly generated suggestions. Emails without a suggestion are left out.
 *
 * @param input.emails - the classified emails of one request
 * @param input.generatedAt - when the suggestions were computed
 */
export const buildSuggestionsGenerated = (input: {
  userId: string;
  emails: Pick<EmailWithSuggestions, 'id' | 'subject' | 'suggestions'>[];
  generatedAt: Date;
}): SuggestionsGeneratedEvent => {
  const suggestions = input.emails
    .filter((email) => email.suggestions.length > 0)
    .map(
      (email): EventEmail => ({ emailId: email.id, subject: email.subject, suggestions: email.suggestions }),
    );
  const all: Suggestion[] = suggestions.flatMap((email) => email.suggestions);
  return {
    type: DOMAIN_EVENTS.SUGGESTIONS_GENERATED,
    userId: input.userId,
    suggestions,
    summary: {
      totalSuggestions: all.length,
      actionCounts: countBy(all.map((suggestion) => suggestion.action)),
      classificationCounts: countBy(all.map((suggestion) => suggestion.classification)),
      sampledEmails: suggestions.slice(0, SAMPLED_EMAILS_LIMIT),
    },
    generatedAt: input.generatedAt.toISOString(),
  };
};

/**
 * Builds the event for confirmed or rejected suggestions.
 *
 * @param input.emailIds - the processed emails
 */
export const buildSuggestionsConfirmed = (input: {
  userId: string;
  action: ConfirmAction;
  emailIds: string[];
  generatedAt: Date;
}): SuggestionsConfirmedEvent => ({
  type: DOMAIN_EVENTS.SUGGESTION_CONFIRMED,
  userId: input.userId,
  action: input.action,
  emailIds: input.emailIds,
  summary: { totalConfirmed: input.emailIds.length, action: input.action },
  generatedAt: input.generatedAt.toISOString(),
});
