import {
  CleanupParamsSchema,
  CleanupPlanSchema,
  CleanupSchema,
  CreateCleanupRequestSchema,
  ListCleanupEmailsQuerySchema,
  ListCleanupEmailsResponseSchema,
  ListCleanupsResponseSchema,
  RunCleanupRequestSchema,
} from '../actions/cleanup.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection } from './route-contract.ts';

const WRONG_STATE = 'A state that does not allow it returns 409 `wrong_state`.';

export const CLEANUPS_SECTION = defineSection({
  tag: 'Cleanups',
  description:
    'Act on thousands of emails: plan first, look at the plan, run it. The ids of a plan are frozen; no query runs again.',
  routes: {
    createCleanup: {
      method: 'post',
      path: '/api/v1/cleanups',
      access: 'act',
      confirmation: 'not_needed',
      body: CreateCleanupRequestSchema,
      response: CleanupPlanSchema,
      idempotent: true,
      summary: 'Plan a cleanup',
      description: [
        'Finds the emails of a selection and freezes their ids. Nothing in the mailbox is changed until the plan is run. A selection is one of: the filters of `GET /api/v1/emails` (`filter`), all cached emails of senders (`senders`), or emails with open suggestions (`suggestions`). `olderThan` leaves out what is not so many days old, `keepNewest` the newest emails of each sender, `except` single emails. A `filter` without filters takes every email of its `scope`, by default of the inbox.',
        'A plan never has protected email: from [protected senders](#tag/protections), starred, marked as important, snoozed or scheduled, in conversations in which the user has written, or, but for newsletters, from those to whom the user has written; what archives or deletes leaves out invitations, emails with an open `notify` suggestion, and receipts, unless `archive` or `delete` is asked for emails of the classification `receipt`. `excluded` counts the emails by reason. `archive` takes only what is in the inbox, `mark_read` only unread emails; from cached emails `mark_unread` takes only read ones. `accept` needs a selection of suggestions or senders and carries out the best suggestion of each email, as it is when the plan is made. Another action for a selection of suggestions is carried out instead of what was suggested: it takes all of them, and decides about each, as `as` of `POST /api/v1/notifications/confirm` does. `plannedActions` counts the emails by what is done to them.',
        'Planning reads lists of ids: at Gmail, 5 quota units for every 500 emails. Only `minAttachmentSize` needs the messages themselves. `quotaUnits` and `durationSeconds` estimate the execution. `sample` shows up to 20 emails; fewer where little of the plan has been seen before.',
        'A plan has at most 25,000 emails, the newest ones; `isComplete` says whether these are all. It expires after 24 hours. A user makes at most 60 plans per minute (429 `too_many_plans`), and keeps the ten newest that were not run; so does each of their tokens.',
      ],
    },
    listCleanups: {
      method: 'get',
      path: '/api/v1/cleanups',
      access: 'read',
      query: PaginationQuerySchema,
      response: ListCleanupsResponseSchema,
      summary: 'List cleanups',
      description: [
        'Returns the cleanups of the user, newest first, 20 on a page by default and at most 100. Finished ones are kept for 30 days; their history records stay.',
      ],
    },
    getCleanup: {
      method: 'get',
      path: '/api/v1/cleanups/{id}',
      access: 'read',
      params: CleanupParamsSchema,
      response: CleanupPlanSchema,
      conditional: true,
      summary: 'Get a cleanup',
      description: [
        'Returns the plan and its progress, with the sample. `waiting` cleanups go on by themselves; `error` says what they wait for. `paused` ones wait for `resume`: the user paused them, or has to act, for example to sign in again (`error` `reauth_required`). `completed`, `cancelled`, `failed` and `expired` are final.',
        'A cleanup of another user returns 404.',
      ],
    },
    listCleanupEmails: {
      method: 'get',
      path: '/api/v1/cleanups/{id}/emails',
      access: 'read',
      params: CleanupParamsSchema,
      query: ListCleanupEmailsQuerySchema,
      response: ListCleanupEmailsResponseSchema,
      summary: 'List the emails of a cleanup',
      description: [
        'Returns the frozen emails with what came of each. `outcome` is `open` until an email is done, then `changed`, `unchanged` (nothing was left to change), `skipped` (`reason` `starred`, `answered` or `moved`: it happened after planning) or `failed`. `recordId` is the history record of the action; undo takes it. `action` is what is done to the email, and narrows the list: the action of the cleanup, or for `accept` that of the best suggestion. `email` is null where its content is not cached.',
      ],
    },
    runCleanup: {
      method: 'post',
      path: '/api/v1/cleanups/{id}/run',
      access: 'act',
      params: CleanupParamsSchema,
      body: RunCleanupRequestSchema,
      response: CleanupSchema,
      confirmation: 'asks',
      idempotent: true,
      refuses: { wrong_state: 'Nothing was done: a cleanup that is failed takes no run.' },
      summary: 'Run a cleanup',
      description: [
        'Runs a plan in the background, 1,000 emails at a time. It survives restarts, and records the applied change of each email in the history, under `batchId`. Emails that were starred, answered or moved after planning are skipped. Running it again returns it as it is.',
        'A cleanup of suggestions publishes `domain.suggestions.confirmed` for every step that accepted emails; each email is in one of these events.',
        'With a token that requires confirmation, or with `requiresConfirmation` in the body, nothing runs yet: the response is 202 with the state `awaiting_confirmation`, and the user confirms the cleanup in a session, with this operation, or declines it with `cancel`. The web app shows who asks for what. A cleanup that nobody confirms expires as plans do.',
        'A plan is run with a token within an hour after it was made; later it returns 409 `wrong_state`.',
        `An expired plan, and one that was cancelled or failed, returns 409 \`wrong_state\`. Where the mail provider no longer tells what changed since the plan was made, each email is compared with the plan.`,
      ],
    },
    pauseCleanup: {
      method: 'post',
      path: '/api/v1/cleanups/{id}/pause',
      access: 'act',
      confirmation: 'not_needed',
      params: CleanupParamsSchema,
      response: CleanupSchema,
      idempotent: true,
      refuses: { wrong_state: 'Nothing was done: a cleanup that is completed takes no pause.' },
      summary: 'Pause a cleanup',
      description: [`Pauses a cleanup after the step in flight. What is done stays done. ${WRONG_STATE}`],
    },
    resumeCleanup: {
      method: 'post',
      path: '/api/v1/cleanups/{id}/resume',
      access: 'act',
      params: CleanupParamsSchema,
      response: CleanupSchema,
      idempotent: true,
      refuses: { wrong_state: 'Nothing was done: a cleanup that is completed takes no resume.' },
      summary: 'Resume a cleanup',
      description: [`Goes on with a paused cleanup. ${WRONG_STATE}`],
    },
    cancelCleanup: {
      method: 'post',
      path: '/api/v1/cleanups/{id}/cancel',
      access: 'act',
      confirmation: 'not_needed',
      params: CleanupParamsSchema,
      response: CleanupSchema,
      idempotent: true,
      refuses: { wrong_state: 'Nothing was done: a cleanup that is completed takes no cancel.' },
      summary: 'Cancel a cleanup',
      description: [
        `Ends a cleanup after the step in flight, or discards a plan. What is done stays done, and can be undone. ${WRONG_STATE}`,
      ],
    },
    undoCleanup: {
      method: 'post',
      path: '/api/v1/cleanups/{id}/undo',
      access: 'act',
      confirmation: 'not_needed',
      params: CleanupParamsSchema,
      response: CleanupSchema,
      accepts: true,
      idempotent: true,
      refuses: {
        wrong_state:
          'Nothing was done: a cleanup that is running has to be paused or cancelled before it is undone.',
      },
      summary: 'Undo a cleanup',
      description: [
        'Gives each email back exactly the labels that the cleanup changed, unless the email has changed since. Up to 1,000 emails are undone at once; more in the background, with 202. `undone` counts them; `GET /api/v1/notifications/history/batches?batch=…` with `batchId` tells more.',
        'A cleanup that is queued, running or waiting returns 409 `wrong_state`: pause or cancel it first.',
      ],
    },
  },
});
