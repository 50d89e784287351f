import { z } from 'zod';
import { EmailIdSchema } from '../emails/email.ts';
import { ActionHistoryRecordSchema } from '../history/action-history.ts';
import { ActionSourceSchema, ConfirmActionSchema } from '../history/recorded-action.ts';
import { StoppedSuggestionSchema } from '../suggestions/stopped-suggestion.ts';
import { INBOX_ACTIONS } from '../values/choices.ts';
import { FailureReasonSchema, MailboxFaultSchema } from '../values/failure-reason.ts';
import { findLabelError } from '../values/label-name.ts';
import { MAX_EMAIL_IDS, MAX_LABEL_LENGTH } from '../values/limits.ts';
import { CountSchema } from '../values/scalars.ts';

const EmailIdsSchema = z.array(EmailIdSchema).min(1).max(MAX_EMAIL_IDS);

export const InboxActionSchema = z.enum(INBOX_ACTIONS);
export type InboxAction = z.infer<typeof InboxActionSchema>;

/** Body of `POST /api/v1/inbox/actions`. */
export const InboxActionRequestSchema = z
  .strictObject({ emailIds: EmailIdsSchema, action: InboxActionSchema })
  .meta({ id: 'InboxActionRequest' });
export type InboxActionRequest = z.infer<typeof InboxActionRequestSchema>;

export const ExecutionSchema = z.enum(['full', 'partial', 'none']);
export type Execution = z.infer<typeof ExecutionSchema>;

export const ItemResultSchema = z
  .discriminatedUnion('status', [
    z.object({
      emailId: z.string(),
      status: z.literal('ok'),
      recordId: z.uuid().optional().meta({ description: 'The history record of the action; undo takes it.' }),
      unchanged: z.literal(true).optional().meta({
        description: 'The email already was as requested. Left out where it was changed.',
      }),
    }),
    z.object({
      emailId: z.string(),
      status: z.literal('error'),
      reason: FailureReasonSchema,
      refusedLabel: z.object({ name: z.string(), alternative: z.string() }).optional().meta({
        description:
          'With `label_refused`: the name that the provider does not take for a label, such as one of its own in the language of the account, and another to try.',
      }),
    }),
  ])
  .meta({ id: 'ItemResult' });
export type ItemResult = z.infer<typeof ItemResultSchema>;

export const ExecutionSummarySchema = z.object({
  total: CountSchema,
  processed: CountSchema,
  failed: CountSchema,
});
export type ExecutionSummary = z.infer<typeof ExecutionSummarySchema>;

/** Response of `POST /api/v1/inbox/actions`: `results` in the order of the request. */
export const InboxActionResponseSchema = z
  .object({
    success: z
      .boolean()
      .meta({ description: 'The request was carried out; single emails may still have failed.' }),
    execution: ExecutionSchema,
    action: InboxActionSchema,
    source: ActionSourceSchema.extract(['inbox']),
    summary: ExecutionSummarySchema,
    results: z.array(ItemResultSchema),
  })
  .meta({ id: 'InboxActionResponse' });
export type InboxActionResponse = z.infer<typeof InboxActionResponseSchema>;

export const LabelNameSchema = z
  .string()
  .trim()
  .min(1)
  .max(MAX_LABEL_LENGTH)
  .superRefine((name, context) => {
    const message = findLabelError(name);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });

/** Actions that a user may choose in place of the suggested one. */
const OTHER_ACTIONS = ['archive', 'delete', 'mark_read', 'label'] as const;

/** Body of `POST /api/v1/notifications/confirm`. */
export const ConfirmRequestSchema = z
  .strictObject({
    emailIds: EmailIdsSchema,
    action: ConfirmActionSchema,
    as: z.enum(OTHER_ACTIONS).optional().meta({
      description: 'Only with `accept`: what is done to each email instead of what was suggested for it.',
    }),
    label: LabelNameSchema.optional().meta({
      description: 'Name of the label to add; required for `as: label`. A missing label is created.',
    }),
  })
  .refine(({ action, as }) => action === 'accept' || as === undefined, {
    path: ['as'],
    error: 'is for `accept` only',
  })
  .refine(({ as, label }) => (as === 'label') === (label !== undefined), {
    path: ['label'],
    error: 'is required for `as: label`, and for nothing else',
  })
  .meta({ id: 'ConfirmRequest' });
export type ConfirmRequest = z.infer<typeof ConfirmRequestSchema>;

/** Response of `POST /api/v1/notifications/confirm`; `processed` counts the emails that succeeded. */
export const ConfirmResponseSchema = z
  .object({
    success: z.boolean(),
    processed: CountSchema,
    emailIds: z.array(z.string()),
    action: ConfirmActionSchema,
    data: z.array(ActionHistoryRecordSchema),
    execution: ExecutionSchema,
    summary: ExecutionSummarySchema,
    results: z.array(ItemResultSchema),
    stopped: z.array(StoppedSuggestionSchema).optional().meta({
      description:
        'What is no longer suggested from now on, because of these rejections; absent for nothing.',
    }),
  })
  .meta({ id: 'ConfirmResponse' });
export type ConfirmResponse = z.infer<typeof ConfirmResponseSchema>;

export const UndoFailureReasonSchema = z.enum([
  ...MailboxFaultSchema.options,
  'already_undone',
  // The outcome of a change of this email is pending; retry in a minute.
  'in_progress',
]);
export type UndoFailureReason = z.infer<typeof UndoFailureReasonSchema>;

/** Body of `POST /api/v1/notifications/history/undo`. */
export const UndoRequestSchema = z
  .strictObject({ ids: z.array(z.uuid()).min(1).max(MAX_EMAIL_IDS) })
  .meta({ id: 'UndoRequest' });
export type UndoRequest = z.infer<typeof UndoRequestSchema>;

export const UndoResultSchema = z
  .discriminatedUnion('status', [
    z.object({
      id: z.uuid(),
      emailId: z.string(),
      status: z.literal('ok'),
      undoneAt: z.iso.datetime(),
      unchanged: z.literal(true).optional().meta({
        description: 'The action had changed nothing, so that nothing was put back.',
      }),
    }),
    z.object({
      id: z.uuid(),
      emailId: z.string().optional(),
      status: z.literal('error'),
      reason: UndoFailureReasonSchema,
    }),
  ])
  .meta({ id: 'UndoResult' });
export type UndoResult = z.infer<typeof UndoResultSchema>;

/** Response of both undo routes: `results` in the order of the request. */
export const UndoResponseSchema = z
  .object({
    success: z.boolean(),
    execution: ExecutionSchema,
    summary: ExecutionSummarySchema,
    results: z.array(UndoResultSchema),
  })
  .meta({ id: 'UndoResponse' });
export type UndoResponse = z.infer<typeof UndoResponseSchema>;

/** Path of `POST /api/v1/notifications/history/{id}/undo`. */
export const UndoParamsSchema = z.strictObject({ id: z.uuid() });
