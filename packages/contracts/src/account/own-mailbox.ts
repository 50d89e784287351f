import { z } from 'zod';
import { MAX_MAILBOX_NAME_LENGTH, MAX_MAILBOXES } from '../values/limits.ts';
import { CountSchema, queryInteger } from '../values/scalars.ts';
import { ProviderSchema } from './provider.ts';
import { ConnectionStateSchema } from './session.ts';

/** Names, by its number, the mailbox that a request is for; without it, that of the sign-in or the token. */
export const MAILBOX_HEADER = 'Mailsweep-Mailbox';

/** The number of a mailbox in a path or a header. */
export const MailboxNumberSchema = queryInteger({ min: 1, max: 1_000_000 });

const NameSchema = z.string().trim().min(1).max(MAX_MAILBOX_NAME_LENGTH);

/** One of the mailboxes of the owner who is signed in. */
export const OwnMailboxSchema = z
  .object({
    number: z
      .number()
      .int()
      .min(1)
      .meta({
        description: `What \`${MAILBOX_HEADER}\` and the web app’s addresses (\`/m/2/\`) call it. It never becomes that of another mailbox.`,
      }),
    email: z.string().meta({ description: 'The address of its account.', example: 'ada@example.com' }),
    name: z.string().nullable().meta({
      description: 'What its owner calls it; null while they have not named it.',
      example: 'Work',
    }),
    provider: ProviderSchema,
    connection: ConnectionStateSchema,
    current: z
      .boolean()
      .meta({ description: 'True for the one that this very request was for, also where it named none.' }),
  })
  .meta({ id: 'OwnMailbox' });
export type OwnMailbox = z.infer<typeof OwnMailboxSchema>;

/** Response of `GET /api/v1/me/mailboxes`: in the order of the owner. */
export const ListOwnMailboxesResponseSchema = z
  .object({ data: z.array(OwnMailboxSchema).min(1) })
  .meta({ id: 'OwnMailboxList' });
export type ListOwnMailboxesResponse = z.infer<typeof ListOwnMailboxesResponseSchema>;

export const OwnMailboxParamsSchema = z.strictObject({
  number: MailboxNumberSchema.meta({
    description: 'What `GET /api/v1/me/mailboxes` calls it: not its place in the list.',
    example: 2,
  }),
});

/** Body of `PATCH /api/v1/me/mailboxes/{number}`. */
export const UpdateOwnMailboxRequestSchema = z
  .strictObject({
    name: NameSchema.nullable().optional().meta({
      description: 'What its owner calls it; null takes the name away.',
    }),
    position: z.number().int().min(1).max(MAX_MAILBOXES).optional().meta({
      description: 'Its place in the list, from 1; the others move. The first one sends the digest.',
    }),
  })
  .meta({ id: 'UpdateOwnMailboxRequest' });
export type UpdateOwnMailboxRequest = z.output<typeof UpdateOwnMailboxRequestSchema>;

/** Response of `POST /api/v1/me/mailboxes/{number}/copy`. */
export const CopyFromMailboxResponseSchema = z
  .object({
    rules: CountSchema.meta({ description: 'Rules that were copied, disabled.' }),
    protections: CountSchema.meta({ description: 'Protected senders and domains that were copied.' }),
  })
  .meta({ id: 'CopyFromMailboxResponse' });
export type CopyFromMailboxResponse = z.infer<typeof CopyFromMailboxResponseSchema>;
