import { z } from 'zod';
import { EmailIdSchema, EmailSchema } from '../emails/email.ts';
import { AgeSchema, MailFiltersSchema } from '../emails/email-query.ts';
import { ProtectionReasonSchema } from '../senders/protection.ts';
import { AnySuggestedActionSchema, ClassificationFilterSchema } from '../suggestions/suggestion.ts';
import { FailureReasonSchema, MailboxFaultSchema } from '../values/failure-reason.ts';
import {
  MAX_CLEANUP_EMAILS,
  MAX_CLEANUP_EXCEPTIONS,
  MAX_CLEANUP_SENDERS,
  MAX_KEPT_NEWEST,
} from '../values/limits.ts';
import { PaginationQuerySchema, paginated } from '../values/pagination.ts';
import { CountSchema, CountsSchema, TimestampSchema } from '../values/scalars.ts';
import { SenderIdSchema } from '../values/sender-order.ts';
import { LabelNameSchema } from './mailbox-action.ts';

/** Most actions, and most classifications, that a selection may name. */
const MAX_ACTIONS = 100;
const MAX_CLASSIFICATIONS = 100;

/** What a cleanup does; `accept` carries out each email's suggestion. */
export const CleanupActionSchema = z.enum([
  'archive',
  'delete',
  'mark_unread',
  'mark_read',
  'label',
  'accept',
]);
export type CleanupAction = z.infer<typeof CleanupActionSchema>;

const olderThan = AgeSchema.optional().meta({ description: 'Only emails older than this many days.' });

/** How many of the newest emails stay as they are. */
export const KeepNewestSchema = z.number().int().min(1).max(MAX_KEPT_NEWEST);

/** A search for one address, one domain or one mailing list. */
const ONE_SOURCE = /^(?:from:"?[^\s(){}",*@]*@[^\s(){}",*@]+"?|list:"?[^\s(){}",*]+"?)$/i;

const exceptions = {
  except: z
    .array(EmailIdSchema)
    .max(MAX_CLEANUP_EXCEPTIONS)
    .default([])
    .meta({ description: 'Emails to leave out, such as those that the user unticked.' }),
};

/** The emails of a cleanup: by filters, senders, or open suggestions. */
export const CleanupSelectionSchema = z
  .discriminatedUnion('type', [
    MailFiltersSchema.extend({
      type: z.literal('filter'),
      keepNewest: KeepNewestSchema.optional().meta({
        description:
          'Leaves out the newest emails, so many of what `search` finds in the scope (for `archive` in the inbox), whatever the other filters say and whether they are protected. `search` has to be for one source: `from:` with an address or a domain (`from:@shop.example`), or `list:`, and nothing else.',
      }),
      ...exceptions,
    })
      .refine(({ keepNewest, search = '' }) => keepNewest === undefined || ONE_SOURCE.test(search), {
        path: ['keepNewest'],
        error:
          'needs a `search` for one address, domain or mailing list alone, such as `from:news@shop.example`',
      })
      .meta({ description: 'The emails that `GET /api/v1/emails` lists with the same filters.' }),
    z
      .strictObject({
        type: z.literal('senders'),
        senders: z.array(SenderIdSchema).min(1).max(MAX_CLEANUP_SENDERS),
        olderThan,
        keepNewest: KeepNewestSchema.optional().meta({
          description:
            'Leaves out the newest emails, so many of each sender, whatever their age and whether they are protected: of those in the inbox for `archive`, otherwise of all but spam and trash. `accept` does not take it.',
        }),
        ...exceptions,
      })
      .meta({ description: 'The cached emails of senders, as `GET /api/v1/senders` counts them.' }),
    z
      .strictObject({
        type: z.literal('suggestions'),
        actions: z.array(AnySuggestedActionSchema).min(1).max(MAX_ACTIONS).optional(),
        classification: ClassificationFilterSchema.optional(),
        minConfidence: z.number().min(0).max(1).optional(),
        minAcceptance: z.number().min(0).max(1).optional(),
        belowAcceptance: z.number().min(0).max(1).optional().meta({
          description:
            'Only where the user accepts with a lower probability, such as what is likely but not sure.',
        }),
        sender: SenderIdSchema.optional(),
        olderThan,
        ...exceptions,
      })
      .meta({ description: 'The emails with open suggestions; filters apply to the best one of each.' }),
    z
      .strictObject({
        type: z.literal('any'),
        senders: z.array(SenderIdSchema).max(MAX_CLEANUP_SENDERS).default([]),
        classifications: z.array(ClassificationFilterSchema).max(MAX_CLASSIFICATIONS).default([]),
        minConfidence: z.number().min(0).max(1).optional(),
        olderThan,
        ...exceptions,
      })
      .meta({
        description: 'The emails of any of the senders, and those of any of the classifications, as above.',
      }),
  ])
  .meta({ id: 'CleanupSelection' });
export type CleanupSelection = z.infer<typeof CleanupSelectionSchema>;

/** Body of `POST /api/v1/cleanups`. */
export const CreateCleanupRequestSchema = z
  .strictObject({
    action: CleanupActionSchema,
    label: LabelNameSchema.optional().meta({
      description: 'Name of the label to add; required for `label`. A missing label is created.',
    }),
    selection: CleanupSelectionSchema,
  })
  .refine(({ action, label }) => (action === 'label') === (label !== undefined), {
    path: ['label'],
    error: 'is required for the action `label`, and for no other',
  })
  .refine(({ action, selection }) => action !== 'accept' || !['filter', 'any'].includes(selection.type), {
    path: ['action'],
    error: '`accept` needs a selection of suggestions or senders',
  })
  .refine(({ action, selection }) => action !== 'accept' || !('keepNewest' in selection), {
    path: ['selection', 'keepNewest'],
    error: 'is for actions that are the same for every email, not for `accept`',
  })
  .meta({ id: 'CreateCleanupRequest' });
export type CreateCleanupRequest = z.infer<typeof CreateCleanupRequestSchema>;

/**
 * `planned` waits for `run`, `awaiting_confirmation` (run with a token) for `run` or `cancel` of the user; both expire.
 * `waiting` goes on by itself, `paused` with `resume`. `completed`, `cancelled`, `failed` and `expired` are final.
 */
export const CleanupStateSchema = z.enum([
  'planned',
  'awaiting_confirmation',
  'queued',
  'running',
  'waiting',
  'paused',
  'completed',
  'cancelled',
  'failed',
  'expired',
]);
export type CleanupState = z.infer<typeof CleanupStateSchema>;

/** Why a cleanup waits, was paused, or failed. */
export const CleanupErrorSchema = z.enum([
  ...MailboxFaultSchema.options,
  // Other changes are in flight, or an outcome is pending.
  'in_progress',
  // The provider forgot what changed since the plan: make a new one.
  'plan_outdated',
  'timed_out',
]);
export type CleanupError = z.infer<typeof CleanupErrorSchema>;

export const ExclusionReasonSchema = z.enum([
  ...ProtectionReasonSchema.options,
  // The rule acted on it before, or the user undid the same action.
  'handled',
  // Sent long enough ago, but received later, from which ages count; only where the plan has no email.
  'received_later',
]);
export type ExclusionReason = z.infer<typeof ExclusionReasonSchema>;

/** Why an email of the plan was left alone. */
export const SkipReasonSchema = z.enum([...ProtectionReasonSchema.options, 'answered', 'moved']);
export type SkipReason = z.infer<typeof SkipReasonSchema>;

/** A frozen plan and its progress. */
export const CleanupSchema = z
  .object({
    id: z.uuid(),
    batchId: z.uuid().meta({ description: 'The batch of its records in the action history.' }),
    ruleId: z
      .uuid()
      .nullable()
      .meta({ description: 'The id of the rule that started it; null where the user or a program did.' }),
    state: CleanupStateSchema,
    askedBy: z.string().nullable().meta({
      description: 'The name of the personal access token that asked its user to confirm it; otherwise null.',
    }),
    action: CleanupActionSchema,
    label: z.string().nullable(),
    selection: CleanupSelectionSchema,
    total: CountSchema.meta({ description: 'Emails of the plan. Their ids are frozen.' }),
    isComplete: z.boolean().meta({
      description: `Whether the plan has every email of the selection; it takes the newest ${MAX_CLEANUP_EMAILS}.`,
    }),
    sizeBytes: CountSchema.meta({ description: 'Size of the emails whose size is known.' }),
    sizeKnown: CountSchema.meta({ description: 'Emails whose size is known.' }),
    excluded: z.partialRecord(ExclusionReasonSchema, CountSchema).meta({
      description:
        'Emails of the selection that the plan leaves out, by reason: with an unclear sender (`isSenderUnclear`), from a protected one, starred, marked important, snoozed or scheduled, in a conversation in which the user has written, from somebody to whom the user has written, but for newsletters (`written_to`); and, where they would be archived or deleted, invitations, emails with an open `notify` suggestion, and receipts that the selection does not ask for; of the plan of a rule, also emails that the rule has acted on before, and those of which the user has undone the same action (`handled`); where no email is old enough, those that say they were sent long enough ago (`received_later`): ages count from when they were received.',
    }),
    plannedActions: CountsSchema.meta({
      description:
        'Emails of the plan by what is done to them; for `accept`, by the action of the best suggestion.',
    }),
    quotaUnits: CountSchema.meta({
      description: 'Quota units that the execution takes, estimated; 0 where the provider has none.',
    }),
    durationSeconds: CountSchema.meta({ description: 'How long the execution takes, estimated.' }),
    processed: CountSchema.meta({ description: 'Emails that are done, whatever came of them.' }),
    changed: CountSchema.meta({ description: 'Emails whose labels, or place in the trash, it changed.' }),
    changedActions: CountsSchema.meta({ description: 'Changed emails by what was done to them.' }),
    changedBytes: CountSchema.meta({
      description:
        'Size of the emails that were moved to the trash, as far as it is known. The mail provider frees it when it empties the trash.',
    }),
    unchanged: CountSchema.meta({ description: 'Emails for which nothing was left to change.' }),
    skipped: CountSchema.meta({
      description:
        'Emails left alone because their sender was protected, or they were starred, answered or moved after planning.',
    }),
    failed: CountSchema,
    undone: CountSchema.meta({ description: 'Emails whose change was undone.' }),
    error: CleanupErrorSchema.nullable(),
    createdAt: TimestampSchema,
    expiresAt: TimestampSchema.meta({ description: 'A plan that was not run by then expires.' }),
    startedAt: TimestampSchema.nullable(),
    updatedAt: TimestampSchema,
    finishedAt: TimestampSchema.nullable(),
  })
  .meta({ id: 'Cleanup' });
export type Cleanup = z.infer<typeof CleanupSchema>;

const SampleEmailSchema = EmailSchema.pick({ id: true, from: true, subject: true, date: true, size: true });

export const CleanupPlanSchema = CleanupSchema.extend({
  sample: z.array(SampleEmailSchema).max(20).meta({
    description: 'Up to 20 emails of the plan, from those whose content is known.',
  }),
}).meta({ id: 'CleanupPlan' });
export type CleanupPlan = z.infer<typeof CleanupPlanSchema>;

/** The outcome of an email of a cleanup; `open`: not yet. */
export const CleanupOutcomeSchema = z.enum(['open', 'changed', 'unchanged', 'skipped', 'failed']);
export type CleanupOutcome = z.infer<typeof CleanupOutcomeSchema>;

export const CleanupEmailSchema = z
  .object({
    emailId: z.string(),
    threadId: z.string().nullable(),
    action: z.string().nullable().meta({
      description:
        'What is done to the email: the action of the cleanup; for `accept`, that of the best suggestion, null once there is none.',
    }),
    outcome: CleanupOutcomeSchema,
    reason: z.enum([...FailureReasonSchema.options, ...SkipReasonSchema.options]).nullable(),
    recordId: z.uuid().meta({ description: 'The history record that the action is, or will be.' }),
    email: SampleEmailSchema.nullable().meta({ description: 'Null where its content is not known.' }),
  })
  .meta({ id: 'CleanupEmail' });
export type CleanupEmail = z.infer<typeof CleanupEmailSchema>;

/** Query of `GET /api/v1/cleanups/{id}/emails`. */
export const ListCleanupEmailsQuerySchema = PaginationQuerySchema.extend({
  outcome: CleanupOutcomeSchema.optional().meta({ description: 'Only emails with this outcome.' }),
  action: AnySuggestedActionSchema.optional().meta({ description: 'Only emails to which this is done.' }),
});
export type ListCleanupEmailsQuery = z.infer<typeof ListCleanupEmailsQuerySchema>;

export const CleanupParamsSchema = z.strictObject({ id: z.uuid() });

/** Body of `POST /api/v1/cleanups/{id}/run`. */
export const RunCleanupRequestSchema = z
  .strictObject({
    requiresConfirmation: z.boolean().optional().meta({
      description:
        'Whether the user confirms it in a session, also where the token does not require that. A session is the confirmation, so it ignores this.',
    }),
  })
  .meta({ id: 'RunCleanupRequest' });

/** Response of `GET /api/v1/cleanups`: newest first. */
export const ListCleanupsResponseSchema = paginated(CleanupSchema).meta({ id: 'CleanupPage' });
export type ListCleanupsResponse = z.infer<typeof ListCleanupsResponseSchema>;
/** Response of `GET /api/v1/cleanups/{id}/emails`: in the order of the plan, newest first. */
export const ListCleanupEmailsResponseSchema = paginated(CleanupEmailSchema).meta({ id: 'CleanupEmailPage' });
