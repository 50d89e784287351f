import { SenderIdSchema, SenderSortSchema } from '@mailsweep/contracts';
import { z } from 'zod';

/** What the senders screen shows, as the address bar holds it; a value that is not valid is left out. */
export const SenderFiltersSchema = z.object({
  sort: SenderSortSchema.exclude(['mails']).optional().catch(undefined),
  /** Words to look for in names and addresses. */
  find: z.string().max(200).optional().catch(undefined),
  /** The sender whose emails are open beside the list. */
  sender: SenderIdSchema.optional().catch(undefined),
});
export type SenderFilters = z.infer<typeof SenderFiltersSchema>;
