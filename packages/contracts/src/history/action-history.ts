import { z } from 'zod';
import { StoredSuggestionSchema } from '../suggestions/suggestion.ts';
import { paginated } from '../values/pagination.ts';
import { TimestampSchema } from '../values/scalars.ts';
import { ActionSourceSchema, RecordedActionSchema } from './recorded-action.ts';

/** The labels that an action really added and removed; undo reverses exactly these. */
export const LabelChangeSchema = z.object({ added: z.array(z.string()), removed: z.array(z.string()) });
export type LabelChange = z.infer<typeof LabelChangeSchema>;

export const ActionDetailsSchema = z.object({
  source: ActionSourceSchema,
  ruleId: z.uuid().optional().meta({ description: 'The rule that acted; only of the source `rule`.' }),
  gmailResponse: z.object({
    status: z.enum(['ok', 'skipped', 'unchanged']).meta({
      description:
        'ok: the mailbox was changed; skipped: nothing was asked of it; unchanged: there was nothing left to change.',
    }),
  }),
  note: z.string(),
  labelChange: LabelChangeSchema,
  mailboxHistoryId: z.string().optional().meta({
    description:
      'Where the history of the mailbox stood with the change in it; undo looks there for later changes.',
  }),
  label: z.string().optional().meta({
    description: 'Name of the label that the action adds, as it was then.',
  }),
  suggestions: z.array(StoredSuggestionSchema).optional().meta({
    description:
      'Confirm flow: the suggestions accepted or rejected, best first; accept carries out the first. `acceptance` is what it was when the user decided.',
  }),
});
export type ActionDetails = z.infer<typeof ActionDetailsSchema>;

/** One executed or confirmed action on one email. */
export const ActionHistoryRecordSchema = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    emailId: z.string(),
    action: RecordedActionSchema,
    timestamp: TimestampSchema,
    details: ActionDetailsSchema,
    undoneAt: TimestampSchema.nullable(),
    batchId: z.uuid().meta({
      description: 'The batch of the record: all records of one request have the same.',
    }),
  })
  .meta({ id: 'ActionHistoryRecord' });
export type ActionHistoryRecord = z.infer<typeof ActionHistoryRecordSchema>;

/** Response of `GET /api/v1/notifications/history`; `total` counts by the filters. */
export const ListActionHistoryResponseSchema = paginated(ActionHistoryRecordSchema).meta({
  id: 'ActionHistoryPage',
});
