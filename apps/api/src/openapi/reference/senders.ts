import { ARCHIVE_NEWSLETTER, NEWSLETTER } from './samples.ts';
import { defineSection } from './section.ts';

const SENDER_ID = '9f2c'.repeat(16);

export const SENDERS_SECTION = defineSection({
  tag: 'Senders',
  description: 'See who sends how many emails, after a scan for the whole mailbox.',
  routes: {
    listSenders: {
      summary: 'List senders',
      description: [
        'Returns senders with the number of their emails, how many of them are unread or still in the inbox, their size, and how many have open suggestions. `sort` chooses the order; the highest value comes first.',
        'The counts cover the emails that Mailsweep has read so far, without spam, trash, drafts and sent email. `complete` says whether a scan has read the whole mailbox, and `scannedAt` when.',
        'A query of this kind reads the whole mailbox of the user and may wait for its turn. If too many users wait, the response is 503 `overloaded`: retry after `Retry-After` seconds.',
      ],
      request: { query: { sort: 'mails', page: 1, perPage: 20 } },
      responses: {
        'After a scan': {
          total: 1,
          page: 1,
          perPage: 20,
          data: [
            {
              id: SENDER_ID,
              from: NEWSLETTER.from,
              mails: 212,
              inInbox: 40,
              unread: 180,
              bytes: 10_221_156,
              lastSeen: NEWSLETTER.date,
              suggested: 38,
            },
          ],
          complete: true,
          scannedAt: '2026-02-01T08:17:00.000Z',
        },
        'Before the first scan': {
          total: 0,
          page: 1,
          perPage: 20,
          data: [],
          complete: false,
          scannedAt: null,
        },
      },
    },
    listSenderEmails: {
      summary: 'List the emails of a sender',
      description: [
        'Returns the emails of a sender that Mailsweep has read, newest first, each with its open suggestions. They are as they were when last read; spam, trash and sent email are left out.',
        'Ids of senders differ between users. An id that is not known in this mailbox returns an empty page.',
      ],
      request: { params: { id: SENDER_ID }, query: { page: 1, perPage: 20 } },
      responses: {
        'One email': {
          total: 1,
          page: 1,
          perPage: 20,
          data: [{ ...NEWSLETTER, suggestions: [ARCHIVE_NEWSLETTER] }],
        },
      },
    },
  },
});
