import { z } from 'zod';
import { paginated } from '../values/pagination.ts';
import { TimestampSchema } from '../values/scalars.ts';
import { toSenderName } from '../values/sender-name.ts';
import { SenderIdSchema } from '../values/sender-order.ts';

/**
 * Why an email is protected; the first reason counts. The last three only prevent archiving and deleting.
 */
export const ProtectionReasonSchema = z.enum([
  // Mail programs disagree who its author is.
  'unclear_sender',
  // The user protected its sender.
  'protected',
  'starred',
  'important',
  // Snoozed, or scheduled to be sent.
  'snoozed',
  // The user has written in its conversation.
  'conversation',
  // The user has written to its sender.
  'written_to',
  'invitation',
  // A `notify` suggestion of it is open.
  'notify',
  // The classification service calls it a receipt.
  'receipt',
]);
export type ProtectionReason = z.infer<typeof ProtectionReasonSchema>;

/** A protected sender or domain: bulk actions, suggestions and rules leave its emails alone. */
export const ProtectionSchema = z
  .object({
    id: SenderIdSchema,
    type: z.enum(['sender', 'domain']).meta({
      description: 'A domain stands for every sender of it and of its subdomains.',
    }),
    from: z.string().meta({
      description:
        'Name and address, as they were when the sender was protected, or the domain; empty where the key is gone.',
    }),
    createdAt: TimestampSchema,
  })
  .meta({ id: 'Protection' });
export type Protection = z.infer<typeof ProtectionSchema>;

/** Body of `POST /api/v1/protections`. */
export const ProtectByNameRequestSchema = z
  .strictObject({
    name: z
      .string()
      .max(400)
      .refine((text) => toSenderName(text) !== undefined, {
        error: 'must be an address such as name@example.com, or a domain such as example.com',
      })
      .meta({ description: 'An address or a domain, in any case and spelling.', example: 'example.com' }),
  })
  .meta({ id: 'ProtectByNameRequest' });

export const ProtectionParamsSchema = z.strictObject({ id: SenderIdSchema });

/** Response of `GET /api/v1/protections`: newest first. */
export const ListProtectionsResponseSchema = paginated(ProtectionSchema).meta({ id: 'ProtectionPage' });
export type ListProtectionsResponse = z.infer<typeof ListProtectionsResponseSchema>;
