import { z } from 'zod';
import { AgeSchema } from '../emails/email-query.ts';
import { ClassificationFilterSchema } from '../suggestions/suggestion.ts';
import { MAX_RULE_SUBJECTS } from '../values/limits.ts';
import { paginated } from '../values/pagination.ts';
import { CountSchema, TimestampSchema } from '../values/scalars.ts';
import { SenderIdSchema } from '../values/sender-order.ts';
import { CleanupActionSchema, CleanupStateSchema, KeepNewestSchema } from './cleanup.ts';
import { LabelNameSchema } from './mailbox-action.ts';

/** Lowest confidence that a rule acts on, by default. */
const DEFAULT_CONFIDENCE = 0.75;

export const RuleActionSchema = CleanupActionSchema.extract(['archive', 'delete', 'mark_read', 'label']);
export type RuleAction = z.infer<typeof RuleActionSchema>;

const sender = { type: z.literal('sender'), sender: SenderIdSchema };
const classification = {
  type: z.literal('classification'),
  classification: ClassificationFilterSchema.meta({
    description: 'The classification of the best suggestion that is open.',
    example: 'bulk',
  }),
};
const ConfidenceSchema = z.number().min(0).max(1);
const minConfidence = ConfidenceSchema.default(DEFAULT_CONFIDENCE);

/** The emails of a rule: of senders, or with open suggestions of classifications. */
export const RuleConditionSchema = z
  .discriminatedUnion('type', [
    z.strictObject(sender),
    z.strictObject({ ...classification, minConfidence }),
    z
      .strictObject({
        type: z.literal('any'),
        senders: z.array(SenderIdSchema).max(MAX_RULE_SUBJECTS).default([]),
        classifications: z.array(ClassificationFilterSchema).max(MAX_RULE_SUBJECTS).default([]),
        minConfidence,
      })
      .refine(({ senders, classifications }) => senders.length + classifications.length > 0, {
        path: ['senders'],
        error: 'or `classifications` must have an entry',
      })
      .meta({ description: 'Emails from any of the senders, and those of any of the classifications.' }),
  ])
  .meta({ id: 'RuleCondition' });
export type RuleCondition = z.infer<typeof RuleConditionSchema>;

const fields = {
  condition: RuleConditionSchema,
  olderThan: AgeSchema.meta({ description: 'Only emails older than this many days; 0 for all.', example: 7 }),
  keepNewest: KeepNewestSchema.nullable().meta({
    description:
      'Leaves out the newest emails, so many of each sender, as `keepNewest` of a cleanup does; null for none. Only without classifications.',
  }),
  action: RuleActionSchema,
  label: LabelNameSchema.meta({
    description: 'Name of the label to add; required for `label`. A missing label is created.',
  }),
  enabled: z.boolean().meta({
    description: 'Whether the watch carries the rule out. Without it, the rule only runs on demand.',
  }),
};

const LABEL_ERROR = {
  path: ['label'],
  error: 'is required for the action `label`, and for no other',
};

/** Body of `POST /api/v1/rules`. */
export const CreateRuleRequestSchema = z
  .strictObject({
    ...fields,
    keepNewest: fields.keepNewest.optional(),
    label: fields.label.optional(),
    enabled: fields.enabled.default(false),
  })
  .refine(({ action, label }) => (action === 'label') === (label !== undefined), LABEL_ERROR)
  .meta({ id: 'CreateRuleRequest' });
export type CreateRuleRequest = z.infer<typeof CreateRuleRequestSchema>;

/** Body of `PATCH /api/v1/rules/{id}`: omitted fields stay; a label comes with its action. */
export const UpdateRuleRequestSchema = z
  .strictObject(fields)
  .partial()
  .refine(({ action, label }) => (action === 'label') === (label !== undefined), LABEL_ERROR)
  .meta({ id: 'UpdateRuleRequest' });
export type UpdateRuleRequest = z.infer<typeof UpdateRuleRequestSchema>;

/** Why a rule paused itself: the user undid a tenth of what it did. */
export const RulePauseReasonSchema = z.enum(['undone']);
export type RulePauseReason = z.infer<typeof RulePauseReasonSchema>;

const from = z.string().meta({
  description:
    'Name and address, as they were when the rule was made, or the name of a group, such as `domain:shop.example`; empty where the key is gone.',
});

/** A rule: what the watch does to email that meets a condition. */
export const RuleSchema = z
  .object({
    id: z.uuid(),
    condition: z.discriminatedUnion('type', [
      z.object({ ...sender, from }),
      z.object({ ...classification, minConfidence: ConfidenceSchema }),
      z.object({
        type: z.literal('any'),
        senders: z.array(z.object({ sender: SenderIdSchema, from })),
        classifications: z.array(z.string()),
        minConfidence: ConfidenceSchema,
      }),
    ]),
    olderThan: CountSchema,
    keepNewest: z.number().int().min(1).nullable(),
    action: RuleActionSchema,
    label: z.string().nullable(),
    enabled: fields.enabled,
    pausedReason: RulePauseReasonSchema.nullable().meta({
      description:
        'undone: at least a tenth of its actions were undone, so it has disabled itself. null once the user has enabled or disabled it again.',
    }),
    pausedAt: TimestampSchema.nullable(),
    nextRunAt: TimestampSchema.nullable().meta({
      description: 'The next check of the watch from then on runs the rule; null while it is disabled.',
    }),
    checkedAt: TimestampSchema.nullable().meta({
      description: 'When the watch last looked for emails that meet the condition; null until it has.',
    }),
    lastRun: z
      .object({
        at: TimestampSchema,
        cleanupId: z.uuid(),
        batchId: z.uuid().meta({ description: 'The batch of its records in the action history.' }),
        state: CleanupStateSchema.nullable().meta({
          description: 'State of the cleanup; null once it is no longer kept.',
        }),
        actions: CountSchema,
        undone: CountSchema,
      })
      .nullable()
      .meta({ description: 'The last run that found emails; null before there was one.' }),
    counts: z
      .object({
        since: TimestampSchema.meta({ description: 'When the rule was made, or last enabled.' }),
        runs: CountSchema.meta({ description: 'Runs that found emails.' }),
        actions: CountSchema.meta({ description: 'What these runs changed: records in the action history.' }),
        undone: CountSchema.meta({ description: 'Those of `actions` that the user took back.' }),
      })
      .meta({ description: 'What the rule did; counted from zero when it is enabled.' }),
    undoing: CountSchema.meta({ description: 'Runs whose undo is in progress.' }),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  })
  .meta({ id: 'Rule' });
export type Rule = z.infer<typeof RuleSchema>;

export const RuleParamsSchema = z.strictObject({ id: z.uuid() });

/** Response of `GET /api/v1/rules`: newest first. */
export const ListRulesResponseSchema = paginated(RuleSchema).meta({ id: 'RulePage' });
export type ListRulesResponse = z.infer<typeof ListRulesResponseSchema>;

/** Query of `GET /api/v1/rules/export`. */
export const ExportRulesQuerySchema = z.strictObject({
  format: z.enum(['gmail', 'sieve']).default('gmail').meta({
    description:
      'gmail: a filter file, which Gmail’s settings import. sieve: a script (RFC 5228), which mail servers run.',
  }),
  ruleId: z
    .uuid()
    .optional()
    .meta({ description: 'Only this rule, also a disabled one; left out for all enabled ones.' }),
});
export type ExportRulesQuery = z.infer<typeof ExportRulesQuerySchema>;

/** Why a rule is not in a file; nothing is said there that is only almost the rule. */
export const RuleOmissionSchema = z.enum([
  'disabled',
  'age',
  'newest',
  'classification',
  'sender',
  'label',
  'protected_sender',
]);
export type RuleOmission = z.infer<typeof RuleOmissionSchema>;

export const RuleDifferenceSchema = z.enum(['arrival', 'protections', 'history', 'senders', 'labels']);
export type RuleDifference = z.infer<typeof RuleDifferenceSchema>;

/** Response of `GET /api/v1/rules/export`: rules in a format of others. */
export const RuleFileSchema = z
  .object({
    fileName: z.string().meta({ description: 'Under which name to save `content`.' }),
    mediaType: z.string().meta({ description: '`application/atom+xml` or `application/sieve`.' }),
    content: z.string().meta({ description: 'The file. Comments say what is left out and what differs.' }),
    exported: z.array(z.uuid()).meta({ description: 'Ids of the rules in the file.' }),
    leftOut: z
      .array(
        z.object({
          ruleId: z.uuid().meta({ description: 'The rule, as `GET /api/v1/rules` lists it.' }),
          reasons: z.array(RuleOmissionSchema).meta({
            description:
              'disabled: it is off. age: `olderThan` is not 0, and files act on email as it arrives. newest: it has `keepNewest`, and files look at one email. classification: the classification service alone knows kinds of email. sender, label: the format can’t say an address, or the name of the label, exactly (in Sieve, none with a slash or with letters beyond ASCII). protected_sender: the user protected a sender, or has written to it.',
          }),
        }),
      )
      .meta({ description: 'Rules that are not in the file, and why.' }),
    differences: z.array(RuleDifferenceSchema).meta({
      description:
        'What rules of the file do otherwise than here. arrival: they act on email as it arrives, and on none that is here. protections: they know none of Mailsweep. history: what they do can’t be undone here. senders: Gmail also takes longer addresses and names with the same words, Sieve email of several authors. labels: a copy goes to a folder.',
    }),
  })
  .meta({ id: 'RuleFile' });
export type RuleFile = z.infer<typeof RuleFileSchema>;
