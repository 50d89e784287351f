import { z } from 'zod';
import { TimestampSchema } from '../values/scalars.ts';

/** What became of a request to unsubscribe from a sender. */
export const UnsubscribeStateSchema = z.enum([
  // It is about to be sent, or sent again.
  'requested',
  'accepted',
  'refused',
  // The sender accepts no automatic request: the user has to open the link, or to write.
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
  // With a redirect, which RFC 8058 rules out and nobody follows: the server may have taken the request all the same.
  'redirected',
  // No response, at any attempt.
  'unreachable',
  // The address is not one that Mailsweep calls.
  'address_refused',
]);
export type UnsubscribeError = z.infer<typeof UnsubscribeErrorSchema>;

/** How a user unsubscribes from a sender, and what became of it. */
export const UnsubscribeSchema = z
  .object({
    method: z.enum(['one_click', 'manual']).nullable().meta({
      description:
        '`one_click`: Mailsweep sends the request. `manual`: only the user can, with `link` or `mailto`. Null where no email offers it any more.',
    }),
    host: z.string().nullable().meta({ description: 'Where a one-click request goes.' }),
    link: z.string().nullable().meta({
      description: 'An http or https address for the user to open. Mailsweep never calls it.',
    }),
    mailto: z.string().nullable().meta({ description: 'A `mailto:` address for the user to write to.' }),
    state: UnsubscribeStateSchema.nullable().meta({ description: 'Null until it was requested.' }),
    error: UnsubscribeErrorSchema.nullable(),
    status: z.number().int().nullable().meta({ description: 'Status of the last response, if any.' }),
    at: TimestampSchema.nullable().meta({ description: 'When the state was reached.' }),
  })
  .meta({ id: 'Unsubscribe' });
export type Unsubscribe = z.infer<typeof UnsubscribeSchema>;
