import { InboxActionRequestSchema, InboxActionResponseSchema } from '../actions/mailbox-action.ts';
import { ConversationParamsSchema, ConversationSchema } from '../emails/conversation.ts';
import { ListEmailsResponseSchema } from '../emails/email.ts';
import { LookUpEmailsRequestSchema, LookUpEmailsResponseSchema } from '../emails/email-lookup.ts';
import { ListEmailsQuerySchema } from '../emails/email-query.ts';
import { MailboxOverviewQuerySchema, MailboxOverviewSchema } from '../emails/mailbox-overview.ts';
import { SurveySchema } from '../emails/survey.ts';
import { defineSection } from './route-contract.ts';

export const MAILBOX_SECTION = defineSection({
  tag: 'Mailbox',
  description: 'Read emails, and archive, delete or mark them unread.',
  routes: {
    listEmails: {
      method: 'get',
      path: '/api/v1/emails',
      access: 'read',
      query: ListEmailsQuerySchema,
      response: ListEmailsResponseSchema,
      summary: 'List emails',
      description: [
        'Returns emails of the mailbox, newest first. Without filters it lists the inbox; `scope=all` lists everything but spam, trash, drafts and chats. Filters narrow the list together. No email is classified.',
        '`search` takes 1 to 500 characters with the operators of Gmail, for example `from:amy subject:"dinner tonight"`, `has:attachment older_than:1y` or `{from:amy from:bob} -is:starred`: `from:`, `to:`, `subject:`, `label:`, `in:`, `is:`, `has:attachment`, `category:`, `before:`, `after:`, `older_than:`, `newer_than:`, `larger:`, `smaller:`, phrases in quotation marks, `OR`, `{ }`, `( )` and `-` ([Gmail help](https://support.google.com/mail/answer/7190)). Spam, trash, drafts, chats, snoozed and scheduled email stay out whatever it says. A search with quotation marks or brackets that do not match, or an operator without a value, returns 400.',
        'Pass `nextPageToken` back as `pageToken`, with the same filters, until it is null. A page has 25 emails by default and at most 100.',
        '`total` is a count, never an estimate. For the inbox without filters, or with `unread` alone, it is the number that the mail provider reports, at most a minute old. For any other list it counts the emails of this page and the pages before it; while further pages remain, `totalIsExact` is false.',
        'A `pageToken` that this mailbox did not return, and a parameter that is not listed here, return 400. A 503 `rate_limited` means that the quota of the user at the mail provider is used up for the moment: retry after `Retry-After` seconds.',
      ],
    },
    getMailboxOverview: {
      method: 'get',
      path: '/api/v1/mailbox',
      access: 'read',
      query: MailboxOverviewQuerySchema,
      response: MailboxOverviewSchema,
      summary: 'Count the mailbox',
      description: [
        'Returns how many emails the inbox has and how many of them are unread, exactly, as the mail provider counts them at that moment; nothing is cached. At Gmail the call costs 6 quota units. A client that shows these numbers all the time should ask again after a change, or once a minute.',
        '`categories` counts the emails of each category that the mailbox has (`mailbox.categories` of `GET /api/v1/me`) in all of it, archived ones included: Gmail keeps no count of a category within the inbox. At Gmail, `primary` counts what Gmail has put there; emails without any category, which `GET /api/v1/emails` lists as primary, are not among them.',
        '`detailed=true` also counts `all` email and `inboxCategories`, the emails of the inbox by category as `GET /api/v1/emails` lists them, for some 30 units and five more for every 500 emails of the inbox.',
        'The size of the inbox is stored once for each day (UTC), the last count of a day stays; `GET /api/v1/activity` returns these sizes.',
        'Errors are those of `GET /api/v1/emails`: 401 `reauth_required` when the mailbox connection has ended, 503 `rate_limited` or `mailbox_unavailable` with `Retry-After`.',
      ],
    },
    getSurvey: {
      method: 'get',
      path: '/api/v1/mailbox/survey',
      access: 'read',
      response: SurveySchema,
      summary: 'Get the survey of the mailbox',
      description: [
        'Returns how many emails the mailbox has by category, age and read state, without spam, trash, drafts and chats. A scan of the whole mailbox begins with a survey where there are more than 500 emails: it lists ids and reads few emails, so its numbers are there in minutes where reading takes hours.',
        'The counts are those of the lists, `startedAt` says of when. The survey also lists the emails of the largest senders, which `GET /api/v1/senders` returns (`read`). While it runs, ask about once a second: nothing is read from the mail provider.',
      ],
    },
    lookUpEmails: {
      method: 'post',
      path: '/api/v1/emails/lookup',
      access: 'read',
      body: LookUpEmailsRequestSchema,
      response: LookUpEmailsResponseSchema,
      summary: 'Look up senders and subjects',
      description: [
        'Returns sender, subject and date of up to 100 emails, in the order of the request. The action history knows emails by id only; use this route to show their names.',
        'Emails that no longer exist are left out of the response: compare the ids. Nothing is changed, so the request can be repeated.',
      ],
    },
    readConversation: {
      method: 'get',
      path: '/api/v1/conversations/{threadId}',
      access: 'read',
      params: ConversationParamsSchema,
      response: ConversationSchema,
      summary: 'Get a conversation',
      description: [
        'Returns the emails of a conversation that are in the inbox, newest first, and counts its other messages (sent or archived). Gmail keeps a conversation in the inbox as long as one of its messages is there.',
        'To act on the whole conversation, send the ids of these emails to `POST /api/v1/inbox/actions`: an action changes only the emails whose ids it is given.',
        'At Gmail a call costs 40 quota units. An unknown conversation returns 404.',
      ],
    },
    executeInboxAction: {
      method: 'post',
      path: '/api/v1/inbox/actions',
      access: 'act',
      body: InboxActionRequestSchema,
      response: InboxActionResponseSchema,
      idempotent: true,
      summary: 'Archive, delete, mark read or unread',
      description: [
        'Applies one action to 1 to 1,000 emails. `archive` removes them from the inbox, `delete` moves them to the trash (nothing is deleted for good), `mark_unread` and `mark_read` mark them unread or read. Ids that occur twice count once.',
        '**Partial failure.** The response is 200 even if single emails failed; `success` says only that the request was carried out. `execution` is `full`, `partial` or `none`, and `results` has one entry per email in the order of the request: `ok` with the `recordId` that undo takes, or `error` with a `reason`, such as `not_found`. An email that already is as requested counts as `ok`, with `unchanged: true`.',
        'The response holds the true outcomes even if the action history cannot be written at that moment; its records are then saved later.',
        'Changes of one mailbox run one after another. A request that waits longer than 15 seconds returns 503 `mailbox_busy`, and nothing has been changed.',
      ],
    },
  },
});
