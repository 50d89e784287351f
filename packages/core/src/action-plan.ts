import {
  type ActionHistoryRecord,
  ActionSourceSchema,
  LabelChangeSchema,
  RecordedActionSchema,
  SuggestionSchema,
} from '@mailsweep/contracts';
import { z } from 'zod';

/** One email of a plan: the exact label change to make, and the history record it leads to. */
const PlannedActionSchema = z.object({
  recordId: z.uuid(),
  emailId: z.string(),
  labelChange: LabelChangeSchema,
  /** `skipped`: the action asks nothing of the mailbox. */
  status: z.enum(['ok', 'skipped']),
  note: z.string(),
  suggestions: z.array(SuggestionSchema).optional(),
});
export type PlannedAction = z.infer<typeof PlannedActionSchema>;

/** One history record to undo, and the exact label change that takes it back. */
const PlannedUndoSchema = z.object({
  recordId: z.uuid(),
  emailId: z.string(),
  labelChange: LabelChangeSchema,
});
export type PlannedUndo = z.infer<typeof PlannedUndoSchema>;

/**
 * What is about to be done to a mailbox. It is written down before it is done, so that a crash between the
 * two leaves no action unrecorded (docs/decisions/005).
 */
export const ActionPlanSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('act'),
    source: ActionSourceSchema,
    action: RecordedActionSchema,
    items: z.array(PlannedActionSchema),
  }),
  z.object({ kind: z.literal('undo'), items: z.array(PlannedUndoSchema) }),
]);
export type ActionPlan = z.infer<typeof ActionPlanSchema>;

/** The history record that a planned action becomes once it has happened. */
export const toHistoryRecord = (
  userId: string,
  plan: Extract<ActionPlan, { kind: 'act' }>,
  item: PlannedAction,
  timestamp: Date,
): ActionHistoryRecord => ({
  id: item.recordId,
  userId,
  emailId: item.emailId,
  action: plan.action,
  timestamp: timestamp.toISOString(),
  details: {
    source: plan.source,
    gmailResponse: { status: item.status },
    note: item.note,
    labelChange: item.labelChange,
    ...(item.suggestions ? { suggestions: item.suggestions } : {}),
  },
  undoneAt: null,
});
