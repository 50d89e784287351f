import { z } from 'zod';
import { CountSchema, TimestampSchema } from '../values/scalars.ts';

/** What became of a request to unsubscribe from a sender. */
export const UnsubscribeStateSchema = z.enum([
  // It is about to be sent, or sent again.
  'requested',
  'accepted',
  'refused',
  // The user opens the link or writes: the sender takes no automatic request.
  'manual',
  // Accepted, and email came more than ten days later.
  'still_sending',
]);
export type UnsubscribeState = z.infer<typeof UnsubscribeStateSchema>;

/** Why a request to unsubscribe was refused. */
export const UnsubscribeErrorSchema = z.enum([
  // By the sender's server, with a status of 400 to 499.
  'rejected',
  // With a status of 500 and more, at every attempt.
  'server_error',
  // With a redirect, which RFC 8058 rules out; the server may have taken the request.
  'redirected',
  // No response, at any attempt.
  'unreachable',
  // Mailsweep does not call such an address.
  'address_refused',
]);
export type UnsubscribeError = z.infer<typeof UnsubscribeErrorSchema>;

/** What senders did who accepted a request, as far as their email was read. */
export const UnsubscribeCountsSchema = z.object({
  stopped: CountSchema.meta({ description: 'No email came more than ten days later.' }),
  stillSending: CountSchema.meta({ description: 'Email did, wherever it is now.' }),
  waiting: CountSchema.meta({ description: 'Less than ten days have passed.' }),
});
export type UnsubscribeCounts = z.infer<typeof UnsubscribeCountsSchema>;

/** Body of `POST /api/v1/senders/{id}/unsubscribe`. */
export const UnsubscribeRequestSchema = z
  .strictObject({
    host: z.string().max(255).nullable().optional().meta({
      description:
        'The `host` that the user was shown, or one of `hosts`; null where none was. A newer email may name another one: then nothing is done.',
    }),
  })
  .meta({ id: 'UnsubscribeRequest' });

/** How a user unsubscribes from a sender, and what became of it. */
export const UnsubscribeSchema = z
  .object({
    method: z.enum(['one_click', 'manual']).nullable().meta({
      description:
        '`one_click`: Mailsweep sends the request. `manual`: only the user can, with `link` or `mailto`. Null where no email offers it any more.',
    }),
    host: z
      .string()
      .nullable()
      .meta({ description: 'Where a one-click request goes; null where there is none.' }),
    hosts: z.array(z.string()).optional().meta({
      description:
        'All hosts that emails of the sender name for one-click requests, oldest first, if there are several: let the user choose one, and send it as `host`. Otherwise left out.',
    }),
    link: z.string().nullable().meta({
      description:
        'An http or https address for the user to open. Mailsweep never calls it. Null where no email has one.',
    }),
    mailto: z
      .string()
      .nullable()
      .meta({ description: 'A `mailto:` address for the user to write to; null where no email has one.' }),
    state: UnsubscribeStateSchema.nullable().meta({ description: 'Null until it was requested.' }),
    error: UnsubscribeErrorSchema.nullable(),
    status: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'HTTP status of the last response; null without one.' }),
    at: TimestampSchema.nullable().meta({
      description: 'When the state was reached; null until it was requested.',
    }),
  })
  .meta({ id: 'Unsubscribe' });
export type Unsubscribe = z.infer<typeof UnsubscribeSchema>;
