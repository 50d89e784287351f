import { z } from 'zod';
import { MailboxFaultSchema } from '../values/failure-reason.ts';
import { paginated } from '../values/pagination.ts';
import { CountSchema, TimestampSchema } from '../values/scalars.ts';

/** Which emails a scan walks through: everything but spam, trash, drafts and chats, or the inbox alone. */
export const ScanScopeSchema = z.enum(['all', 'inbox']);
export type ScanScope = z.infer<typeof ScanScopeSchema>;

/**
 * `waiting` goes on once the mailbox or the classification service is back; `completed`, `failed` and `cancelled` are
 * final.
 */
export const ScanStateSchema = z.enum(['queued', 'running', 'waiting', 'completed', 'failed', 'cancelled']);
export type ScanState = z.infer<typeof ScanStateSchema>;

/** Why a scan failed, or what it waits for. */
export const ScanErrorSchema = z.enum([
  ...MailboxFaultSchema.options,
  'classification_unavailable',
  'timed_out',
]);
export type ScanError = z.infer<typeof ScanErrorSchema>;

export const ScanSchema = z
  .object({
    id: z.uuid(),
    state: ScanStateSchema,
    scope: ScanScopeSchema,
    scanned: CountSchema.meta({ description: 'Emails looked at so far.' }),
    total: CountSchema.meta({
      description:
        'All emails to look at, by the provider’s totals as the scan began; 0 while they are not known.',
    }),
    suggested: CountSchema.meta({ description: 'Emails with open suggestions among them.' }),
    unclassified: CountSchema.meta({
      description: 'Emails for which the classification service did not respond.',
    }),
    unitsUsed: CountSchema.meta({ description: 'Quota units of the provider taken; 0 where it has none.' }),
    etaSeconds: CountSchema.nullable().meta({
      description: 'Time until the end at the pace so far; null while that is not known, and at the end.',
    }),
    error: ScanErrorSchema.nullable().meta({
      description: 'Why it failed, or what it waits for; null otherwise.',
    }),
    createdAt: TimestampSchema,
    startedAt: TimestampSchema.nullable(),
    updatedAt: TimestampSchema,
    finishedAt: TimestampSchema.nullable(),
  })
  .meta({ id: 'Scan' });
export type Scan = z.infer<typeof ScanSchema>;

/** Optional body of `POST /api/v1/scans`. */
export const StartScanRequestSchema = z
  .strictObject({ scope: ScanScopeSchema.default('all') })
  .meta({ id: 'StartScanRequest' });
export type StartScanRequest = z.infer<typeof StartScanRequestSchema>;

export const ScanParamsSchema = z.strictObject({ id: z.uuid() });

/** Response of `GET /api/v1/scans`: the user's scans, newest first. */
export const ListScansResponseSchema = paginated(ScanSchema).meta({ id: 'ScanPage' });
