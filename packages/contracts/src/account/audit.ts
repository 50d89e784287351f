import { z } from 'zod';
import { paginated } from '../values/pagination.ts';
import { TimestampSchema } from '../values/scalars.ts';

/** Events of the audit trail. Clients accept others: later versions add more. */
export const AuditEventSchema = z.enum([
  'signed_in',
  'sign_in_refused',
  'signed_out',
  'signed_out_everywhere',
  'session_revoked',
  'token_created',
  'token_renamed',
  'token_revoked',
  'data_exported',
  'mailbox_added',
  'mailbox_removed',
  'watch_enabled',
  'watch_disabled',
  'training_data_enabled',
  'training_data_changed',
  'training_data_disabled',
  'unsubscribe_requested',
  'rule_created',
  'rule_changed',
  'rule_deleted',
  'rule_paused',
]);
export type AuditEvent = z.infer<typeof AuditEventSchema>;

export const AuditEntrySchema = z
  .object({
    id: z.uuid(),
    event: z
      .string()
      .regex(/^[a-z_]+$/)
      .meta({ description: `One of ${AuditEventSchema.options.join(', ')}; later versions add more.` }),
    at: TimestampSchema,
    sessionId: z
      .uuid()
      .nullable()
      .meta({ description: 'The session that the event came from; null where none did.' }),
    tokenId: z
      .uuid()
      .nullable()
      .meta({ description: 'The personal access token that the event came from; null where none did.' }),
    address: z.string().nullable().meta({
      description:
        'The address of the client; of IPv6 addresses the network of 64 bits. null where it is not known.',
    }),
    browser: z.string().nullable().meta({ example: 'Firefox on Windows' }),
    details: z.record(z.string(), z.unknown()).meta({
      description:
        '`code` of a refused sign-in, numbers of `sessions` and `tokens` that a sign-out ended, `revokedSessionId` of a revoked session, `changedTokenId` and `tokenName` of a token, `scope`, `expiresAt` and `clientId` of a new one, `senderId` and `method` of a request to unsubscribe, `sender` and `subject` of training data, `ruleId` of a rule, whether it is now `enabled`, and the address of the `mailbox` that was added or removed.',
    }),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof AuditEntrySchema>;

/** Response of `GET /api/v1/me/audit`, newest first. */
export const ListAuditEntriesResponseSchema = paginated(AuditEntrySchema).meta({ id: 'AuditEntryPage' });
