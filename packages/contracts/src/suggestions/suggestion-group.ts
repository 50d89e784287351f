import { z } from 'zod';
import { MAX_GROUP_LABELS } from '../values/limits.ts';
import { paginated } from '../values/pagination.ts';
import { CountSchema, CountsSchema, TimestampSchema } from '../values/scalars.ts';
import { SuggestionGroupingSchema } from './suggestion-queries.ts';

const ConfidenceSchema = z.number().min(0).max(1);
const AcceptanceSchema = z
  .number()
  .min(0)
  .max(1)
  .meta({ description: 'The probability that the user accepts a suggestion of the group.' });

/** Emails with open suggestions that belong together; each counts once, by its best suggestion. */
export const SuggestionGroupSchema = z
  .object({
    key: z.string().meta({ description: 'The id of the sender, or the classification.' }),
    by: SuggestionGroupingSchema,
    from: z.string().nullable().meta({
      description: 'Name and address of the sender, from their newest email; null for a classification.',
    }),
    classification: z.string().nullable().meta({ description: 'null for a sender.' }),
    protected: z.boolean().meta({ description: 'Whether the user protected the sender.' }),
    emails: z.number().int().min(1),
    actions: CountsSchema.meta({ description: 'Emails by suggested action.' }),
    classifications: CountsSchema.meta({
      description: 'Emails by the classification of the best suggestion.',
    }),
    labels: z.array(z.string()).max(MAX_GROUP_LABELS).meta({
      description: 'Classifications that are suggested as labels, those of most emails first.',
    }),
    leastConfidence: ConfidenceSchema,
    mostConfidence: ConfidenceSchema,
    leastAcceptance: AcceptanceSchema,
    mostAcceptance: AcceptanceSchema,
    sizeBytes: z.number().min(0).meta({ description: 'Size of all emails together.' }),
    newest: TimestampSchema.meta({ description: 'When the newest email came.' }),
    newestFrom: z.string().meta({ description: 'Name and address of the sender of the newest email.' }),
  })
  .meta({ id: 'SuggestionGroup' });
export type SuggestionGroup = z.infer<typeof SuggestionGroupSchema>;

/** Response of `GET /api/v1/suggestions/groups`: groups with most emails first, then those with higher confidence. */
export const ListSuggestionGroupsResponseSchema = paginated(SuggestionGroupSchema)
  .extend({
    emails: CountSchema.meta({ description: 'Emails of all groups together.' }),
    actions: CountsSchema.meta({ description: 'The same by suggested action.' }),
    confidence: z.object({ sure: CountSchema, likely: CountSchema, check: CountSchema }).meta({
      description:
        'Emails with open suggestions by the probability that the user accepts them, whatever the filters are: from 0.95 on sure, from 0.75 on likely, below that to check.',
    }),
    actionsByDegree: z.object({ sure: CountsSchema, likely: CountsSchema, check: CountsSchema }).meta({
      description: 'The emails of `confidence` by suggested action.',
    }),
    complete: z.boolean().meta({ description: 'Whether a scan has looked at the whole mailbox.' }),
    scannedAt: TimestampSchema.nullable().meta({
      description: 'When that scan ended; null before there was one.',
    }),
  })
  .meta({ id: 'SuggestionGroupPage' });
export type ListSuggestionGroupsResponse = z.infer<typeof ListSuggestionGroupsResponseSchema>;
