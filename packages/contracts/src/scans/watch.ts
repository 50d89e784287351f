import { z } from 'zod';
import { MailboxFaultSchema } from '../values/failure-reason.ts';
import { CountSchema, TimestampSchema } from '../values/scalars.ts';

/**
 * `waiting` resumes once the mailbox or the classification service is back, `reconnect_required` after a sign-in.
 */
export const WatchStateSchema = z.enum(['off', 'active', 'waiting', 'reconnect_required']);
export type WatchState = z.infer<typeof WatchStateSchema>;

export const WatchErrorSchema = z.enum([...MailboxFaultSchema.options, 'classification_unavailable']);
export type WatchError = z.infer<typeof WatchErrorSchema>;

const NewEmailsSchema = CountSchema.meta({
  description: 'Emails that arrived, and were sent to the classification service.',
});
const SuggestedSchema = CountSchema.meta({ description: 'New emails with suggestions among them.' });

/** Response of `GET /api/v1/watch`: the state of the watch. */
export const WatchSchema = z
  .object({
    state: WatchStateSchema,
    error: WatchErrorSchema.nullable().meta({ description: 'Why it waits or has stopped; null otherwise.' }),
    nextRunAt: TimestampSchema.nullable().meta({
      description: 'When the mailbox is to be checked next; null while it is off.',
    }),
    lastRun: z
      .object({ at: TimestampSchema, newEmails: NewEmailsSchema, suggested: SuggestedSchema })
      .nullable()
      .meta({ description: 'The last check that succeeded; null before there was one.' }),
    total: z
      .object({ since: TimestampSchema, newEmails: NewEmailsSchema, suggested: SuggestedSchema })
      .nullable()
      .meta({ description: 'All checks since the watch was enabled; null while it is off.' }),
  })
  .meta({ id: 'Watch' });
export type Watch = z.infer<typeof WatchSchema>;
