import { z } from 'zod';
import { paginated } from '../values/pagination.ts';
import { TimestampSchema } from '../values/scalars.ts';
import { SenderIdSchema } from '../values/sender-order.ts';

/** An action no longer suggested for a sender, after three rejections in a row. */
export const StoppedSuggestionSchema = z
  .object({
    id: z.uuid(),
    sender: SenderIdSchema,
    from: z.string().meta({
      description: 'Name and address of the sender, from their newest email; empty where none is cached.',
    }),
    action: z.string(),
    stoppedAt: TimestampSchema.meta({ description: 'When the user rejected it last.' }),
  })
  .meta({ id: 'StoppedSuggestion' });
export type StoppedSuggestion = z.infer<typeof StoppedSuggestionSchema>;

/** Response of `GET /api/v1/suggestions/stopped`: newest first. */
export const ListStoppedSuggestionsResponseSchema = paginated(StoppedSuggestionSchema).meta({
  id: 'StoppedSuggestionPage',
});
export type ListStoppedSuggestionsResponse = z.infer<typeof ListStoppedSuggestionsResponseSchema>;

export const StoppedSuggestionParamsSchema = z.strictObject({ id: z.uuid() });
