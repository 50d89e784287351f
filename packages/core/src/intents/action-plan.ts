import {
  type ActionHistoryRecord,
  ActionSourceSchema,
  LabelChangeSchema,
  RecordedActionSchema,
  StoredSuggestionSchema,
} from '@mailsweep/contracts';
import { type AppliedLabelChange, isEmptyChange, type RequestedLabelChange } from '@mailsweep/mailbox';
import { z } from 'zod';

/** What is known of an item, apart from its label change. */
const ITEM_KNOWLEDGE = {
  /** Labels of the message before it is changed. */
  labelsBefore: z.array(z.string()).optional(),
  /** `labelsBefore` has changes of ours that the mailbox's history did not show yet. */
  isAhead: z.boolean().optional(),
  /** The mailbox made the change; what that took is still to be found out. */
  isDone: z.boolean().optional(),
};

/** One email of a plan: its label change, and the history record it leads to. */
const PlannedActionSchema = z.object({
  recordId: z.uuid(),
  emailId: z.string(),
  labelChange: LabelChangeSchema,
  ...ITEM_KNOWLEDGE,
  /** `skipped`: the action asks nothing of the mailbox. */
  status: z.enum(['ok', 'skipped']),
  note: z.string(),
  /** Name of the label to add. */
  label: z.string().optional(),
  suggestions: z.array(StoredSuggestionSchema).optional(),
  senderId: z.string().optional(),
  /** The same confirmation was given before: it only counts if the mailbox is changed now. */
  isRepeated: z.boolean().optional(),
});
export type PlannedAction = z.infer<typeof PlannedActionSchema>;

/** One history record to undo, and the exact label change that takes it back. */
const PlannedUndoSchema = z.object({
  recordId: z.uuid(),
  emailId: z.string(),
  labelChange: LabelChangeSchema,
  ...ITEM_KNOWLEDGE,
});
export type PlannedUndo = z.infer<typeof PlannedUndoSchema>;

/** History id before the changes of the plan; missing when the plan changes nothing. */
const MailboxHistoryIdSchema = z.string().optional();

/** The label changes that a plan requests from the mailbox. */
export const toRequestedChanges = (plan: ActionPlan): RequestedLabelChange[] =>
  plan.items.map(({ emailId, labelChange, labelsBefore, isAhead, isDone }) => ({
    id: emailId,
    ...labelChange,
    before: labelsBefore,
    isAhead,
    isDone,
  }));

/**
 * What is about to be done to a mailbox. It is written down before it is done, so that a crash between the
 * two leaves no action unrecorded (docs/decisions/005).
 */
export const ActionPlanSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('act'),
    mailboxHistoryId: MailboxHistoryIdSchema,
    source: ActionSourceSchema,
    action: RecordedActionSchema,
    batchId: z.uuid(),
    /** The rule that acts. */
    ruleId: z.uuid().optional(),
    items: z.array(PlannedActionSchema),
  }),
  z.object({
    kind: z.literal('undo'),
    mailboxHistoryId: MailboxHistoryIdSchema,
    items: z.array(PlannedUndoSchema),
  }),
]);
export type ActionPlan = z.infer<typeof ActionPlanSchema>;

/** Whether an item did nothing that had not been done before. */
export const isRepetition = ({ isRepeated }: PlannedAction, { change }: AppliedLabelChange): boolean =>
  isRepeated === true && isEmptyChange(change);

const toStatus = (item: PlannedAction, applied: AppliedLabelChange): 'ok' | 'skipped' | 'unchanged' => {
  const isUnchanged = item.status === 'ok' && isEmptyChange(applied.change);
  return isUnchanged || isRepetition(item, applied) ? 'unchanged' : item.status;
};

/** The history record that a planned action becomes once it has happened. */
export const toHistoryRecord = (
  userId: string,
  plan: Extract<ActionPlan, { kind: 'act' }>,
  item: PlannedAction,
  applied: AppliedLabelChange,
  timestamp: Date,
): ActionHistoryRecord => ({
  id: item.recordId,
  userId,
  emailId: item.emailId,
  action: plan.action,
  timestamp: timestamp.toISOString(),
  details: {
    source: plan.source,
    ...(plan.ruleId === undefined ? {} : { ruleId: plan.ruleId }),
    gmailResponse: { status: toStatus(item, applied) },
    note: item.note,
    labelChange: applied.change,
    ...(applied.historyId === undefined ? {} : { mailboxHistoryId: applied.historyId }),
    ...(item.label === undefined ? {} : { label: item.label }),
    ...(item.suggestions ? { suggestions: item.suggestions } : {}),
  },
  undoneAt: null,
  batchId: plan.batchId,
});
