import {
  EmailParamsSchema,
  ListSenderEmailsResponseSchema,
  ListSendersQuerySchema,
  ListSendersResponseSchema,
  SenderDetailsSchema,
  SenderParamsSchema,
} from '../senders/sender.ts';
import { UnsubscribeRequestSchema, UnsubscribeSchema } from '../senders/unsubscribe.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection } from './route-contract.ts';

export const SENDERS_SECTION = defineSection({
  tag: 'Senders',
  description: 'See who sends how many emails, after a scan for the whole mailbox.',
  routes: {
    listSenders: {
      method: 'get',
      path: '/api/v1/senders',
      access: 'read',
      query: ListSendersQuerySchema,
      response: ListSendersResponseSchema,
      summary: 'List senders',
      description: [
        'Returns senders with the number of their emails, how many of them are unread or still in the inbox, their size, and how many have open suggestions. `sort` chooses the order; the highest value comes first. `search` finds senders by name and address; `total` counts those found. `by` makes one of all senders of a domain, or of all emails of a mailing list: the `id` of such a `group` goes wherever that of a sender does, but for requests to unsubscribe, protections and suggestions; rules with it also take new addresses. `unsubscribe=still_sending` lists those who accepted a request to unsubscribe and send on; `unsubscribed` counts what became of all such requests.',
        'The counts cover the emails that Mailsweep has read so far, without spam, trash, drafts and sent email; those of the largest senders all their emails, as the survey of a scan lists them (`read`). `complete` says whether a scan has read the whole mailbox, and `scannedAt` when.',
        'A query of this kind reads the whole mailbox of the user and may wait for its turn. If too many users wait, the response is 503 `overloaded`: retry after `Retry-After` seconds.',
      ],
    },
    getSender: {
      method: 'get',
      path: '/api/v1/senders/{id}',
      access: 'read',
      params: SenderParamsSchema,
      response: SenderDetailsSchema,
      summary: 'Get a sender',
      description: [
        'Returns one sender, with how many of its emails a cleanup takes now, by its action, and how many it would leave out because they are protected. A sender of whom no email is left returns 404.',
      ],
    },
    getSenderOfEmail: {
      method: 'get',
      path: '/api/v1/emails/{id}/sender',
      access: 'read',
      params: EmailParamsSchema,
      response: SenderDetailsSchema,
      summary: 'Get the sender of an email',
      description: [
        'Returns the sender of an email that Mailsweep has read, as `GET /api/v1/senders/{id}` does. An email that was not read, and one whose sender has no email left, returns 404.',
      ],
    },
    listSenderEmails: {
      method: 'get',
      path: '/api/v1/senders/{id}/emails',
      access: 'read',
      params: SenderParamsSchema,
      query: PaginationQuerySchema,
      response: ListSenderEmailsResponseSchema,
      summary: 'List the emails of a sender',
      description: [
        'Returns the emails of a sender that Mailsweep has read, newest first, each with its open suggestions. They are as they were when last read; spam, trash and sent email are left out.',
        'Ids of senders differ between users. An id that is not known in this mailbox returns an empty page.',
      ],
    },
    getUnsubscribe: {
      method: 'get',
      path: '/api/v1/senders/{id}/unsubscribe',
      access: 'read',
      params: SenderParamsSchema,
      response: UnsubscribeSchema,
      summary: 'Show how to unsubscribe from a sender',
      description: [
        'Returns how the user unsubscribes from a sender, and what became of a request. It is the `unsubscribe` of `GET /api/v1/senders`.',
        '`still_sending` means that the request was accepted, and email came more than ten days later.',
        'Where no email that was read says how, or the sender is not known, every field is null.',
      ],
    },
    unsubscribe: {
      method: 'post',
      path: '/api/v1/senders/{id}/unsubscribe',
      access: 'admin',
      params: SenderParamsSchema,
      body: UnsubscribeRequestSchema,
      response: UnsubscribeSchema,
      accepts: true,
      idempotent: true,
      refuses: {
        unsubscribe_not_offered: 'Nothing was done: no email of this sender says how to unsubscribe.',
        unsubscribe_changed: 'Nothing was done: a request would go to another host than `host`.',
      },
      summary: 'Unsubscribe from a sender',
      description: [
        'For a sender with the method `one_click`, the worker sends one POST with the body `List-Unsubscribe=One-Click` to `host` (RFC 8058). The response is 202 with the state `requested`; poll `GET /api/v1/senders/{id}/unsubscribe` for what becomes of it. A call that gets no response, or a 5xx, is repeated after 1, 10 and 60 minutes.',
        'For a sender with the method `manual`, nothing is sent: the response is 200 with the state `manual`, and the user opens `link` or writes to `mailto`. Both come from an email: show their host, and never call them.',
        'A request that is made already, or was accepted, is not made again. One that was refused is, and so is one whose sender still sends.',
        'A request needs a signature of the domain of the sender over the headers that name the host. Where such emails name several hosts, none replaces the others: `hosts` has all. Send the `host` that the user was shown or has chosen, null for `manual`; where it is not offered any more, the response is 409 `unsubscribe_changed`.',
        'A sender of whom no email says how to unsubscribe returns 409 `unsubscribe_not_offered`.',
      ],
    },
  },
});
