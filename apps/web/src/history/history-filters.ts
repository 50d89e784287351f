import { ActionSourceSchema, RecordedActionSchema } from '@mailsweep/contracts';
import { z } from 'zod';

/** Which part of the history shows, as the address bar holds it. */
export const HistoryFiltersSchema = z.object({
  source: ActionSourceSchema.optional().catch(undefined),
  action: RecordedActionSchema.optional().catch(undefined),
});
export type HistoryFilters = z.infer<typeof HistoryFiltersSchema>;
