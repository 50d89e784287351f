import {
  type ActionHistoryRecord,
  ActionSourceSchema,
  type LabelChange,
  LabelChangeSchema,
  RecordedActionSchema,
  SuggestionSchema,
} from '@mailsweep/contracts';
import { isEmptyChange, type WantedLabelChange } from '@mailsweep/mailbox-sync';
import { z } from 'zod';

/** What is known of an item besides what is wanted of it. */
const ITEM_KNOWLEDGE = {
  /** Labels of the message before it is changed. */
  labelsBefore: z.array(z.string()).optional(),
  /** `labelsBefore` has changes of ours that the mailbox's history did not show yet. */
  isAhead: z.boolean().optional(),
  /** The mailbox made the change; what that took is still to be found out. */
  isDone: z.boolean().optional(),
};

/** One email of a plan: the label change that is wanted, and the history record it leads to. */
const PlannedActionSchema = z.object({
  recordId: z.uuid(),
  emailId: z.string(),
  labelChange: LabelChangeSchema,
  ...ITEM_KNOWLEDGE,
  /** `skipped`: the action asks nothing of the mailbox. */
  status: z.enum(['ok', 'skipped']),
  note: z.string(),
  suggestions: z.array(SuggestionSchema).optional(),
  /** The same answer was given before: it only counts if the mailbox is changed now. */
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

/** Whatever the plan changes stands in the mailbox's history after this; missing where nothing is to be changed. */
const MailboxHistoryIdSchema = z.string().optional();

/** The label change that an item of a plan really came to, and where it stands in the mailbox's history. */
export interface MadeChange {
  change: LabelChange;
  historyId?: string | undefined;
}

/** What the mailbox is asked for by a plan. */
export const toWantedChanges = (plan: ActionPlan): WantedLabelChange[] =>
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
export const isRepetition = ({ isRepeated }: PlannedAction, { change }: MadeChange): boolean =>
  isRepeated === true && isEmptyChange(change);

const toStatus = (item: PlannedAction, made: MadeChange): 'ok' | 'skipped' | 'unchanged' => {
  const isUnchanged = item.status === 'ok' && isEmptyChange(made.change);
  return isUnchanged || isRepetition(item, made) ? 'unchanged' : item.status;
};

/** The history record that a planned action becomes once it has happened. */
export const toHistoryRecord = (
  userId: string,
  plan: Extract<ActionPlan, { kind: 'act' }>,
  item: PlannedAction,
  made: MadeChange,
  timestamp: Date,
): ActionHistoryRecord => ({
  id: item.recordId,
  userId,
  emailId: item.emailId,
  action: plan.action,
  timestamp: timestamp.toISOString(),
  details: {
    source: plan.source,
    gmailResponse: { status: toStatus(item, made) },
    note: item.note,
    labelChange: made.change,
    ...(made.historyId === undefined ? {} : { mailboxHistoryId: made.historyId }),
    ...(item.suggestions ? { suggestions: item.suggestions } : {}),
  },
  undoneAt: null,
});
