import {
  type ActionHistoryRecord,
  ActionSourceSchema,
  LabelChangeSchema,
  RecordedActionSchema,
  StoredSuggestionSchema,
} from '@mailsweep/contracts';
import { type AppliedLabelChange, isEmptyChange, type RequestedLabelChange } from '@mailsweep/mail/mailbox';
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

/** One email of an intent: its label change, and the history record it leads to. */
const IntendedActionSchema = z.object({
  recordId: z.uuid(),
  emailId: z.string(),
  labelChange: LabelChangeSchema,
  ...ITEM_KNOWLEDGE,
  /** `skipped`: the action asks nothing of the mailbox. */
  status: z.enum(['ok', 'skipped']),
  note: z.string(),
  label: z.string().optional(),
  suggestions: z.array(StoredSuggestionSchema).optional(),
  senderId: z.string().optional(),
  /** The same confirmation was given before: it only counts if the mailbox is changed now. */
  isRepeated: z.boolean().optional(),
});
export type IntendedAction = z.infer<typeof IntendedActionSchema>;

/** One history record to undo, and the exact label change that takes it back. */
const IntendedUndoSchema = z.object({
  recordId: z.uuid(),
  emailId: z.string(),
  labelChange: LabelChangeSchema,
  ...ITEM_KNOWLEDGE,
});
export type IntendedUndo = z.infer<typeof IntendedUndoSchema>;

/** History id before the changes; missing when they change nothing. */
const MailboxHistoryIdSchema = z.string().optional();

/** The label changes that an intent requests from the mailbox. */
export const toRequestedChanges = (changes: IntendedChanges): RequestedLabelChange[] =>
  changes.items.map(({ emailId, labelChange, labelsBefore, isAhead, isDone }) => ({
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
export const IntendedChangesSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('act'),
    mailboxHistoryId: MailboxHistoryIdSchema,
    source: ActionSourceSchema,
    action: RecordedActionSchema,
    batchId: z.uuid(),
    ruleId: z.uuid().optional(),
    items: z.array(IntendedActionSchema),
  }),
  z.object({
    kind: z.literal('undo'),
    mailboxHistoryId: MailboxHistoryIdSchema,
    items: z.array(IntendedUndoSchema),
  }),
]);
export type IntendedChanges = z.infer<typeof IntendedChangesSchema>;

/** Whether an item did nothing that had not been done before. */
export const isRepetition = ({ isRepeated }: IntendedAction, { change }: AppliedLabelChange): boolean =>
  isRepeated === true && isEmptyChange(change);

const toStatus = (item: IntendedAction, applied: AppliedLabelChange): 'ok' | 'skipped' | 'unchanged' => {
  const isUnchanged = item.status === 'ok' && isEmptyChange(applied.change);
  return isUnchanged || isRepetition(item, applied) ? 'unchanged' : item.status;
};

/** The history record that an intended action becomes once it has happened. */
export const toHistoryRecord = (
  userId: string,
  changes: Extract<IntendedChanges, { kind: 'act' }>,
  item: IntendedAction,
  applied: AppliedLabelChange,
  timestamp: Date,
): ActionHistoryRecord => ({
  id: item.recordId,
  userId,
  emailId: item.emailId,
  action: changes.action,
  timestamp: timestamp.toISOString(),
  details: {
    source: changes.source,
    ...(changes.ruleId === undefined ? {} : { ruleId: changes.ruleId }),
    gmailResponse: { status: toStatus(item, applied) },
    note: item.note,
    labelChange: applied.change,
    ...(applied.historyId === undefined ? {} : { mailboxHistoryId: applied.historyId }),
    ...(item.label === undefined ? {} : { label: item.label }),
    ...(item.suggestions ? { suggestions: item.suggestions } : {}),
  },
  undoneAt: null,
  batchId: changes.batchId,
});
