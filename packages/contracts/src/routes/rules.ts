import { CleanupPlanSchema, CleanupSchema } from '../actions/cleanup.ts';
import {
  CreateRuleRequestSchema,
  ExportRulesQuerySchema,
  ListRulesResponseSchema,
  RuleFileSchema,
  RuleParamsSchema,
  RuleSchema,
  UpdateRuleRequestSchema,
} from '../actions/rule.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection, NoContentSchema } from './route-contract.ts';

const IN_FLIGHT = 'Nothing was done: a run of this rule is in flight: wait for it, or cancel its cleanup.';

export const RULES_SECTION = defineSection({
  tag: 'Rules',
  description:
    'Have the watch archive, delete, mark as read or label email that meets a condition. Nothing runs unless the user enables it.',
  routes: {
    listRules: {
      method: 'get',
      path: '/api/v1/rules',
      access: 'read',
      query: PaginationQuerySchema,
      response: ListRulesResponseSchema,
      summary: 'List rules',
      description: ['Returns the user’s rules, newest first. 20 on a page by default, at most 100.'],
    },
    createRule: {
      method: 'post',
      path: '/api/v1/rules',
      access: 'admin',
      body: CreateRuleRequestSchema,
      response: RuleSchema,
      idempotent: true,
      refuses: { too_many_rules: 'Nothing was done: a user may have 100 rules.' },
      summary: 'Make a rule',
      description: [
        'The condition is a sender, by the id that `GET /api/v1/senders` returns, or a classification: emails whose best open suggestion has it, with at least `minConfidence` (0.75 by default). A condition `any` names several of both, at most 50 each: the rule takes email of any of the senders, and of any of the classifications; one with a single entry is returned as that sender or classification. `olderThan` is the age in days that an email must have; 0 takes emails of any age. `keepNewest` leaves the newest emails of each sender alone until newer ones come.',
        'A rule is disabled unless `enabled` is true. Enabled rules are run by the [watch](#tag/account), after a check of the mailbox: where `olderThan` is 0, after each that finds new email, and hourly; daily otherwise. While the watch is off, no rule runs.',
        'A rule acts on cached emails, those that a scan, a list or the watch has read, and on each at most once. What the user has undone is left alone. Protected email is never touched: see [cleanups](#tag/cleanups).',
        'A sender of whom no email was read is an error of `condition.sender`. A user may have 100 rules (409 `too_many_rules`).',
      ],
    },
    exportRules: {
      method: 'get',
      path: '/api/v1/rules/export',
      access: 'read',
      query: ExportRulesQuerySchema,
      namesInQuery: true,
      response: RuleFileSchema,
      summary: 'Export rules for Gmail or a mail server',
      description: [
        'Returns all enabled rules, or the one with `ruleId`, as a file for Gmail (*Settings*, *Filters*, *Import filters*) or a Sieve script. There they outlive the account here; disable or delete them here, or both act.',
        'A rule that the format cannot express is left out, never approximated: `leftOut` has the reasons. `differences` is what the others do otherwise there. An id of no rule returns 404.',
      ],
    },
    getRule: {
      method: 'get',
      path: '/api/v1/rules/{id}',
      access: 'read',
      params: RuleParamsSchema,
      response: RuleSchema,
      summary: 'Read a rule',
      description: [
        'Returns the rule with its last run and its counts. A rule pauses itself when at least a tenth of its actions were undone, of all since it was enabled or of those of its newest runs, which have at least 100 actions together: then `enabled` is false and `pausedReason` is `undone`.',
      ],
    },
    updateRule: {
      method: 'patch',
      path: '/api/v1/rules/{id}',
      access: 'admin',
      params: RuleParamsSchema,
      body: UpdateRuleRequestSchema,
      response: RuleSchema,
      summary: 'Change a rule',
      description: [
        'What is left out stays as it is; `label` comes with the action `label`. Enabling a rule ends its pause and restarts its counts. Disabling it cancels its run in flight.',
      ],
    },
    deleteRule: {
      method: 'delete',
      path: '/api/v1/rules/{id}',
      access: 'admin',
      params: RuleParamsSchema,
      response: NoContentSchema,
      summary: 'Delete a rule',
      description: [
        'Deletes the rule and cancels its runs. What it did stays in the history, and can be undone there by its batches.',
      ],
    },
    previewRule: {
      method: 'post',
      path: '/api/v1/rules/{id}/preview',
      access: 'read',
      params: RuleParamsSchema,
      response: CleanupPlanSchema,
      idempotent: true,
      summary: 'Plan what a rule would do now',
      description: [
        'Makes a [cleanup](#tag/cleanups) of the rule’s condition and returns its plan. Nothing is changed. Running that cleanup is a run of the rule. `excluded` counts the emails that are left out; `handled` are those that the rule has acted on before, or of which the user has undone the same action.',
      ],
    },
    runRule: {
      method: 'post',
      path: '/api/v1/rules/{id}/run',
      access: 'act',
      params: RuleParamsSchema,
      response: CleanupSchema,
      idempotent: true,
      refuses: { wrong_state: IN_FLIGHT },
      summary: 'Run a rule now',
      description: [
        'Plans the cleanup and runs it, also where the rule is disabled; follow it with `GET /api/v1/cleanups/{id}`. While another run of the rule is in flight it returns 409 `wrong_state`.',
      ],
    },
    undoRule: {
      method: 'post',
      path: '/api/v1/rules/{id}/undo',
      access: 'act',
      params: RuleParamsSchema,
      response: RuleSchema,
      accepts: true,
      idempotent: true,
      refuses: { wrong_state: IN_FLIGHT },
      summary: 'Undo all runs of a rule',
      description: [
        'Undoes every run whose actions are not all undone, the newest first; the worker continues where that takes long. The rule pauses itself. One run is undone with `POST /api/v1/cleanups/{id}/undo`, or by its batch. While a run is in flight it returns 409 `wrong_state`.',
      ],
    },
  },
});
