import { z } from 'zod';
import { paginated } from '../values/pagination.ts';
import { CountSchema, TimestampSchema } from '../values/scalars.ts';
import { SenderIdSchema } from '../values/sender-order.ts';
import { ActionSourceSchema, RecordedActionSchema } from './recorded-action.ts';

export const ActionBatchSchema = z
  .object({
    id: z.uuid(),
    startedAt: TimestampSchema,
    source: ActionSourceSchema,
    action: RecordedActionSchema,
    total: CountSchema.meta({ description: 'Its history records: one for each email.' }),
    unchanged: CountSchema.meta({
      description: 'Those of them that changed nothing: there is nothing to undo.',
    }),
    undone: CountSchema.meta({ description: 'Those of the others that are undone.' }),
    undo: z
      .object({
        state: z.enum(['running', 'done']),
        failed: CountSchema.meta({ description: 'Records that could not be undone.' }),
      })
      .nullable()
      .meta({ description: 'The undo of the whole batch; null until it is asked for.' }),
    senders: z
      .object({
        count: CountSchema,
        top: z
          .array(z.object({ from: z.string(), emails: CountSchema }))
          .meta({ description: 'Up to three, the one with the most emails first.' }),
      })
      .meta({ description: 'Who sent its emails; emails that are not cached any more are left out.' }),
  })
  .meta({ id: 'ActionBatch' });
export type ActionBatch = z.infer<typeof ActionBatchSchema>;

export const BatchSenderSchema = z
  .object({
    sender: SenderIdSchema.nullable().meta({
      description: 'null for the emails that are not cached any more.',
    }),
    from: z.string().meta({ description: 'Name and address; empty where they are not known.' }),
    emails: CountSchema.meta({ description: 'Their history records in the batch.' }),
    unchanged: CountSchema.meta({ description: 'Those of them that changed nothing.' }),
    undone: CountSchema.meta({ description: 'Those of the others that are undone.' }),
  })
  .meta({ id: 'BatchSender' });
export type BatchSender = z.infer<typeof BatchSenderSchema>;

/** Response of `GET /api/v1/notifications/history/batches/{id}/senders`: the ones with the most emails first. */
export const ListBatchSendersResponseSchema = paginated(BatchSenderSchema).meta({ id: 'BatchSenderPage' });

export const ActionBatchParamsSchema = z.strictObject({ id: z.uuid() });

/** Response of `GET /api/v1/notifications/history/batches`: the user's batches, newest first. */
export const ListActionBatchesResponseSchema = paginated(ActionBatchSchema).meta({ id: 'ActionBatchPage' });
