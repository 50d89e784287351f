import { UndoParamsSchema, UndoRequestSchema, UndoResponseSchema } from '../actions/mailbox-action.ts';
import {
  ActionBatchParamsSchema,
  ActionBatchSchema,
  ListActionBatchesResponseSchema,
  ListBatchSendersResponseSchema,
} from '../history/action-batch.ts';
import { ListActionHistoryResponseSchema } from '../history/action-history.ts';
import { ActivitySchema } from '../history/activity.ts';
import { ListNotificationEventsResponseSchema, NotificationSummarySchema } from '../history/notification.ts';
import {
  ListActionBatchesQuerySchema,
  ListActionHistoryQuerySchema,
  ListBatchSendersQuerySchema,
  ListNotificationEventsQuerySchema,
  NotificationSummaryQuerySchema,
} from '../history/record-queries.ts';
import { defineSection } from './route-contract.ts';
import { ARCHIVED, BATCH_ID, INVOICE, NEWSLETTER, pageOf, RECORD_ID, USER_ID } from './samples.ts';

const OTHER_RECORD_ID = '0197a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6c';

const BATCH = {
  id: BATCH_ID,
  startedAt: '2026-02-01T08:00:00.000Z',
  source: 'suggestions' as const,
  action: 'accept' as const,
  total: 4_200,
  unchanged: 0,
  undone: 0,
  undo: null,
  senders: {
    count: 31,
    top: [
      { from: NEWSLETTER.from, emails: 1_830 },
      { from: INVOICE.from, emails: 412 },
      { from: 'Pixel Deals <deals@pixel.example>', emails: 96 },
    ],
  },
};

export const HISTORY_SECTION = defineSection({
  tag: 'History and events',
  description: 'See what was done and published, and undo actions.',
  routes: {
    listActionHistory: {
      method: 'get',
      path: '/api/v1/notifications/history',
      access: 'read',
      query: ListActionHistoryQuerySchema,
      response: ListActionHistoryResponseSchema,
      summary: 'List the action history',
      description: [
        'Returns the actions of the user, newest first: confirmed suggestions (`details.source` `suggestions`) and actions from the inbox (`inbox`). `source`, `action`, `batch`, `sender` and `search` narrow the list and its `total`. A `search` finds email whose sender and subject have all its words, as far as emails are cached; it goes through the texts of all of them, and may wait for its turn.',
        '`details.labelChange` holds the labels that were really added and removed. `details.gmailResponse.status` is `ok` if the mailbox was changed, `unchanged` if there was nothing left to change, and `skipped` if nothing was asked of the mail provider. `undoneAt` is null until the action is undone.',
        'Pages start at 1 and have 20 records by default, at most 100. A page beyond the last one is empty.',
      ],
      examples: {
        query: { page: 1, perPage: 20 },
        responses: { 'One record': pageOf([ARCHIVED]) },
      },
    },
    listActionBatches: {
      method: 'get',
      path: '/api/v1/notifications/history/batches',
      access: 'read',
      query: ListActionBatchesQuerySchema,
      response: ListActionBatchesResponseSchema,
      summary: 'List batches',
      description: [
        'Returns the history of the user by batches, newest first. The records of one request are one batch; each names it as `batchId`. `GET /api/v1/notifications/history?batch=…` lists the records of a batch. `source`, `action`, `batch`, `undoable` and `search` narrow the list and its `total`: with `undoable=true` and `perPage=1` it is the action that the user would undo next.',
        '`undone` counts the records that are undone, one by one or together, without those that changed nothing, which `unchanged` counts: there is nothing to undo. `undo` is null until the whole batch is undone by `POST /api/v1/notifications/history/batches/{id}/undo`.',
        '`senders` counts who sent the emails of the batch, and names up to three with the most. Only emails whose messages are cached are counted, so that a batch whose emails were deleted by another client shows fewer.',
      ],
      examples: {
        query: { page: 1, perPage: 20 },
        responses: { 'One batch': pageOf([BATCH]) },
      },
    },
    listBatchSenders: {
      method: 'get',
      path: '/api/v1/notifications/history/batches/{id}/senders',
      access: 'read',
      params: ActionBatchParamsSchema,
      query: ListBatchSendersQuerySchema,
      response: ListBatchSendersResponseSchema,
      summary: 'List the senders of a batch',
      description: [
        'Returns who sent the emails of a batch, the one with the most emails first. `GET /api/v1/notifications/history?batch=…&sender=…` lists their history records. Emails that are not cached any more come last, together, with `sender` null and an empty `from`; their records are listed with `sender=unknown`.',
        'With `search`, only emails count whose sender and subject have all its words.',
        'An unknown batch returns 404.',
      ],
      examples: {
        params: { id: BATCH_ID },
        query: { page: 1, perPage: 20 },
        responses: {
          'Two senders': pageOf([
            { sender: '9f2c'.repeat(16), from: NEWSLETTER.from, emails: 1_830, unchanged: 0, undone: 0 },
            { sender: null, from: '', emails: 12, unchanged: 0, undone: 12 },
          ]),
        },
      },
    },
    undoActionBatch: {
      method: 'post',
      path: '/api/v1/notifications/history/batches/{id}/undo',
      access: 'act',
      confirmation: 'not_needed',
      params: ActionBatchParamsSchema,
      response: ActionBatchSchema,
      accepts: true,
      idempotent: true,
      summary: 'Undo a batch',
      description: [
        'Undoes all records of a batch, however many, from the newest to the oldest: each email gets back exactly the labels that the action changed. Up to 1,000 records are undone before the response, which is 200. More than that, and what has to wait for the mail provider, is undone in the background: the response is 202, and `GET /api/v1/notifications/history/batches?batch=…` shows `undone` growing until `undo.state` is `done`.',
        '`undo.failed` counts records that could not be undone, for example because the labels were changed after the action. A request while the undo runs returns the batch as it is; a request after it has ended tries again what failed.',
        'An unknown batch returns 404.',
      ],
      examples: {
        params: { id: BATCH_ID },
        responses: {
          'Goes on in the background': { ...BATCH, undo: { state: 'running', failed: 0 } },
        },
      },
    },
    undoActions: {
      method: 'post',
      path: '/api/v1/notifications/history/undo',
      access: 'act',
      confirmation: 'not_needed',
      body: UndoRequestSchema,
      response: UndoResponseSchema,
      idempotent: true,
      summary: 'Undo several actions',
      description: [
        'Undoes 1 to 1,000 history records: each email gets back exactly the labels that the action changed. Several actions on one email are undone from the newest to the oldest. What the action had left as it was has `unchanged`: nothing is put back.',
        '**Partial failure.** The response is 200 even if single records could not be undone; `results` has one entry per record in the order of the request. Reasons include `changed_since` (the labels were changed after the action), `already_undone`, `in_progress` (the outcome of the action is not known yet: retry in a minute) and `not_found`.',
        'Changes of one mailbox run one after another. A request that waits longer than 15 seconds returns 503 `mailbox_busy`, and nothing has been changed.',
      ],
      examples: {
        bodies: { 'Two records': { ids: [RECORD_ID, OTHER_RECORD_ID] } },
        responses: {
          'One could not be undone': {
            success: true,
            execution: 'partial',
            summary: { total: 2, processed: 1, failed: 1 },
            results: [
              {
                id: RECORD_ID,
                emailId: NEWSLETTER.id,
                status: 'ok',
                undoneAt: '2026-02-01T08:05:00.000Z',
              },
              {
                id: OTHER_RECORD_ID,
                emailId: '18c2f0a1b2c3d4e6',
                status: 'error',
                reason: 'changed_since',
              },
            ],
          },
        },
      },
    },
    undoAction: {
      method: 'post',
      path: '/api/v1/notifications/history/{id}/undo',
      access: 'act',
      confirmation: 'not_needed',
      params: UndoParamsSchema,
      response: UndoResponseSchema,
      idempotent: true,
      summary: 'Undo one action',
      description: [
        'Undoes one history record, as `POST /api/v1/notifications/history/undo` does for several. If the action cannot be undone, the response is 200 with `execution` `none` and the `reason`. An unknown record returns 404.',
      ],
      examples: {
        params: { id: RECORD_ID },
        responses: {
          Undone: {
            success: true,
            execution: 'full',
            summary: { total: 1, processed: 1, failed: 0 },
            results: [
              {
                id: RECORD_ID,
                emailId: NEWSLETTER.id,
                status: 'ok',
                undoneAt: '2026-02-01T08:05:00.000Z',
              },
            ],
          },
          'Undone before': {
            success: true,
            execution: 'none',
            summary: { total: 1, processed: 0, failed: 1 },
            results: [{ id: RECORD_ID, emailId: NEWSLETTER.id, status: 'error', reason: 'already_undone' }],
          },
        },
      },
    },
    listNotificationEvents: {
      method: 'get',
      path: '/api/v1/notifications/events',
      access: 'read',
      query: ListNotificationEventsQuerySchema,
      response: ListNotificationEventsResponseSchema,
      summary: 'List events',
      description: [
        'Returns the stored domain events of the user, newest first. `type` takes a canonical event name: `domain.suggestions.generated` or `domain.suggestions.confirmed`.',
        'An event keeps `type`, `userId` and `summary`; the list of suggestions and the ids of emails are not stored. Events are stored by the worker, so a new one appears shortly after the request that published it.',
        'With a `userId` other than the user’s own, the page is empty: the events of others are never shown.',
      ],
      examples: {
        query: { type: 'domain.suggestions.confirmed', page: 1, perPage: 20 },
        responses: {
          'One event': pageOf([
            {
              id: '0197a3c4-4444-7e8f-9a0b-1c2d3e4f5a6b',
              type: 'domain.suggestions.confirmed',
              userId: USER_ID,
              summary: { totalConfirmed: 12, action: 'accept' },
              createdAt: '2026-02-01T08:00:00.400Z',
              updatedAt: '2026-02-01T08:00:00.400Z',
            },
          ]),
        },
      },
    },
    summarizeNotifications: {
      method: 'get',
      path: '/api/v1/notifications/summary',
      access: 'read',
      query: NotificationSummaryQuerySchema,
      response: NotificationSummarySchema,
      summary: 'Summarize events',
      description: [
        'Counts suggestions and confirmations of the stored events over a rolling window: the last 24 hours (`daily`) or the last 7 days (`weekly`). Windows are evaluated in UTC over `createdAt` and include both boundaries. Without `period` the summary covers all time, and `period`, `windowStart` and `windowEnd` are null.',
      ],
      examples: {
        query: { period: 'weekly' },
        responses: {
          'The last seven days': {
            period: 'weekly',
            windowStart: '2026-01-25T08:00:00.000Z',
            windowEnd: '2026-02-01T08:00:00.000Z',
            totalEvents: 3,
            totalSuggestions: 42,
            totalConfirmed: 12,
            suggestedActions: { archive: 30, delete: 12 },
            confirmedActions: { accept: 12 },
            classifications: { bulk: 30, promotions_old: 12 },
          },
        },
      },
    },
    getActivity: {
      method: 'get',
      path: '/api/v1/activity',
      access: 'read',
      query: NotificationSummaryQuerySchema,
      response: ActivitySchema,
      summary: 'Get the activity',
      description: [
        'Sums up what the user has done over the last 24 hours (`daily`), the last 7 days (`weekly`), or all time. `cleaned` counts the emails that were archived, deleted or labelled, each once; an accepted suggestion counts as what it did. What was undone, and what changed nothing, does not count.',
        '`byAction` and `bySource` count the same emails by the last action on each. `bytes` and `senders` cover those whose size and sender are known; only what is moved to the trash frees space, when the provider empties it (`mailbox.trashDays` of `GET /api/v1/me`), so other emails are not in `bytes`. `silencedSenders` counts the senders of cleaned emails that have nothing left in the inbox, as far as Mailsweep has read it.',
        '`decisions` counts the last decision about each email, for at most 50 classifications. `inboxSizes` has the last count of each UTC day on which `GET /api/v1/mailbox` was called, at most a year of them.',
        'A query of this kind may wait for its turn. If too many users wait, the response is 503 `overloaded`: retry after `Retry-After` seconds.',
      ],
      examples: {
        query: { period: 'weekly' },
        responses: {
          'The last seven days': {
            period: 'weekly',
            cleaned: { emails: 1_284, bytes: 96_400_128, senders: 73 },
            byAction: { archive: 1_010, delete: 240, label: 34 },
            bySource: { cleanup: 1_100, suggestions: 160, inbox: 24 },
            decisions: [
              { classification: 'bulk', accepted: 120, rejected: 4 },
              { classification: 'promotions_old', accepted: 40, rejected: 0 },
            ],
            silencedSenders: 51,
            inboxSizes: [
              { day: '2026-01-31', total: 4_696, unread: 2_120 },
              { day: '2026-02-01', total: 3_412, unread: 1_208 },
            ],
          },
        },
      },
    },
  },
});
