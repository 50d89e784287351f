import { ListAuditEntriesResponseSchema } from '../account/audit.ts';
import { DEFAULT_NOTIFICATIONS, DEFAULT_PREFERENCES } from '../account/default-preferences.ts';
import { ListOutgoingCallsResponseSchema } from '../account/outgoing-calls.ts';
import {
  CopyFromMailboxResponseSchema,
  ListOwnMailboxesResponseSchema,
  OwnMailboxParamsSchema,
  OwnMailboxSchema,
  UpdateOwnMailboxRequestSchema,
} from '../account/own-mailbox.ts';
import { EraseMeRequestSchema, PersonalDataExportSchema } from '../account/personal-data.ts';
import { PreferencesSchema, UpdatePreferencesRequestSchema } from '../account/preferences.ts';
import { MeSchema } from '../account/session.ts';
import { ListSessionsResponseSchema, SessionParamsSchema } from '../account/user-session.ts';
import { WatchSchema } from '../scans/watch.ts';
import { EMAIL_CATEGORIES } from '../values/choices.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection, NoContentSchema } from './route-contract.ts';
import { pageOf, SESSION_ID, USER_ID } from './samples.ts';

const GOOGLE = {
  key: 'gmail',
  name: 'Google',
  kind: 'gmail',
  offersReadOnly: true,
  signIn: 'redirect',
} as const;
const MAILBOX = { email: 'ada@example.com', provider: GOOGLE, connection: 'active' } as const;
const OTHER_SESSION_ID = '0197a3c4-6666-7e8f-9a0b-1c2d3e4f5a6b';

export const ACCOUNT_SECTION = defineSection({
  tag: 'Account',
  description: 'See who is signed in and where, and export or erase everything stored about the user.',
  routes: {
    getMe: {
      method: 'get',
      path: '/api/v1/me',
      access: 'read',
      response: MeSchema,
      summary: 'Get the signed-in user',
      description: [
        'Returns the user and the state of the mailbox connection. With `connection` `reauth_required` the session is valid, but the provider has withdrawn the access: send the browser to `/auth/idp?renew=true`. `mailbox` says what its provider can do and what it calls things: ask it instead of the provider’s key. `token` says what a personal access token may do.',
      ],
      examples: {
        responses: {
          Connected: {
            userId: USER_ID,
            email: 'ada@example.com',
            name: 'Ada Lovelace',
            connection: 'active',
            provider: GOOGLE,
            mailbox: {
              name: 'Gmail',
              categories: [...EMAIL_CATEGORIES],
              hasQuotaUnits: true,
              trashDays: 30,
              emailUrl: 'https://mail.google.com/mail/?authuser={address}#all/{emailId}',
              canChange: true,
            },
            sessionExpiresAt: '2026-02-01T20:00:00.000Z',
          },
        },
      },
    },
    listMailboxes: {
      method: 'get',
      path: '/api/v1/me/mailboxes',
      access: 'read',
      response: ListOwnMailboxesResponseSchema,
      summary: 'List the mailboxes of the owner',
      description: [
        'Returns the mailboxes that this session or token can reach, in the order of their owner. Every other operation is for one of them: the one that the header `Mailsweep-Mailbox` names by its number, or else the one that the user signed in with, or the token was made for. Each has its own emails, suggestions, rules and history.',
        'An owner adds a mailbox in a session by signing in to it: send the browser to `/auth/idp?add=true`, with `provider` for another one than Google. It has to be within ten minutes of the last sign-in. From then on a sign-in to any of them reaches all of them; sessions and tokens from before do not. Time zone, quiet hours and digest are the same for all: `PATCH /api/v1/me/preferences` changes them for each.',
      ],
      examples: {
        responses: {
          'Two mailboxes': {
            data: [
              { ...MAILBOX, number: 1, name: null, current: true },
              { ...MAILBOX, number: 2, email: 'ada@work.example', name: 'Work', current: false },
            ],
          },
        },
      },
    },
    updateMailbox: {
      method: 'patch',
      path: '/api/v1/me/mailboxes/{number}',
      access: 'session',
      params: OwnMailboxParamsSchema,
      body: UpdateOwnMailboxRequestSchema,
      response: OwnMailboxSchema,
      summary: 'Name or move a mailbox',
      description: [
        'Changes what the body names: what the owner calls the mailbox, or its place in the list. A number that is not in the list returns 404.',
      ],
      examples: {
        params: { number: 2 },
        bodies: { 'Name it': { name: 'Work' }, 'Put it first': { position: 1 } },
        responses: {
          Named: { ...MAILBOX, number: 2, email: 'ada@work.example', name: 'Work', current: false },
        },
      },
    },
    removeMailbox: {
      method: 'delete',
      path: '/api/v1/me/mailboxes/{number}',
      access: 'recent_sign_in',
      params: OwnMailboxParamsSchema,
      response: NoContentSchema,
      summary: 'Take a mailbox out',
      description: [
        'Takes a mailbox out of those of the owner: it is reached by a sign-in of its own again. Nothing that is stored about it changes; to erase that, send `DELETE /api/v1/me` for it. Its sessions and tokens reach no other mailbox from then on. Like the export, it needs a sign-in within the last ten minutes. It is listed in the audit trail of both.',
      ],
      examples: { params: { number: 2 } },
    },
    copyFromMailbox: {
      method: 'post',
      path: '/api/v1/me/mailboxes/{number}/copy',
      access: 'session',
      params: OwnMailboxParamsSchema,
      response: CopyFromMailboxResponseSchema,
      summary: 'Copy rules and protections',
      description: [
        'Copies the rules and the protected senders and domains of another mailbox of the owner to the mailbox that the request is for. Copied rules are disabled until the user enables them. What this mailbox has already is not copied again, nor what would be more than it may have (100 rules, 1,000 protections).',
      ],
      examples: {
        params: { number: 1 },
        responses: { Copied: { rules: 3, protections: 12 } },
      },
    },
    getPreferences: {
      method: 'get',
      path: '/api/v1/me/preferences',
      access: 'read',
      response: PreferencesSchema,
      summary: 'Get the preferences',
      description: [
        'Returns what the user chose for every device. Everything that Mailsweep does on its own is off until the user enables it. Later versions add more groups.',
      ],
      examples: {
        responses: {
          'Nothing chosen yet': DEFAULT_PREFERENCES,
        },
      },
    },
    updatePreferences: {
      method: 'patch',
      path: '/api/v1/me/preferences',
      access: 'admin',
      body: UpdatePreferencesRequestSchema,
      response: PreferencesSchema,
      summary: 'Change preferences',
      description: [
        'Changes what the body names and leaves the rest as it is; returns all preferences. An unknown field or value returns 400 and names the field, and nothing is changed.',
        '`historyRetentionDays` begins to apply within the hour: older history records can no longer be undone, nor are they counted or learned from, and what was suggested so long ago may be suggested again. Records that a rule needs, so that it leaves email alone that it has handled, stay while there is the rule.',
        '`labelNames` applies to suggestions that are accepted from then on. Labels in the mailbox are not renamed, and undo removes the label that was added. A name that the mail provider takes for that of another classification returns 400 and names the classification.',
        '`trainingData` lets the operator export decisions about suggestions, made from then on, to train a classification service. Disabling it forgets since when it was enabled. `sender` and `subject` say what an export has of each; they apply to the next export, and to decisions made before, too.',
        'Enabling, changing or disabling `trainingData`, and enabling or disabling the watch, is listed in the audit trail.',
      ],
      examples: {
        bodies: {
          'Keep watching for new email': { watch: { enabled: true, everyMinutes: 15 } },
          'Set the time zone': { timeZone: 'Europe/Berlin' },
          'Keep the history for a year': { historyRetentionDays: 365 },
          'Name a label': { labelNames: { receipt: 'Receipts' } },
          'Give decisions as training data': {
            trainingData: { enabled: true, sender: 'hashed', subject: 'omitted' },
          },
          'A daily digest and no noise at night': {
            notifications: {
              digest: { every: 'daily', hour: 8, push: true },
              quietHours: { from: '22:00', to: '07:00' },
            },
          },
        },
        responses: {
          'The watch is on': {
            watch: { enabled: true, everyMinutes: 15 },
            timeZone: 'Europe/Berlin',
            notifications: DEFAULT_NOTIFICATIONS,
            historyRetentionDays: 365,
            labelNames: { receipt: 'Receipts' },
            trainingData: DEFAULT_PREFERENCES.trainingData,
            webhookAvailable: true,
          },
        },
      },
    },
    getWatch: {
      method: 'get',
      path: '/api/v1/watch',
      access: 'read',
      response: WatchSchema,
      summary: 'Get the state of the watch',
      description: [
        'While the watch is enabled (`PATCH /api/v1/me/preferences`), Mailsweep checks the mailbox for new email every few minutes, has it classified and stores the suggestions. It changes nothing in the mailbox. A check without new email costs two quota units.',
        '`waiting` resumes automatically, `reconnect_required` once the user has signed in again; `error` says why. Counts are reset to zero when the watch is enabled again.',
      ],
      examples: {
        responses: {
          'Two new suggestions': {
            state: 'active',
            error: null,
            nextRunAt: '2026-02-01T09:42:10.000Z',
            lastRun: { at: '2026-02-01T09:27:11.000Z', newEmails: 3, suggested: 2 },
            total: { since: '2026-01-31T18:00:00.000Z', newEmails: 41, suggested: 17 },
          },
          'The watch is off': { state: 'off', error: null, nextRunAt: null, lastRun: null, total: null },
        },
      },
    },
    listOutgoingCalls: {
      method: 'get',
      path: '/api/v1/me/outgoing-calls',
      access: 'read',
      response: ListOutgoingCallsResponseSchema,
      summary: 'List the hosts that were called',
      description: [
        'Returns every host that this installation has called over HTTP for the user, why, how often, with how many bytes, and which fields of emails such calls send: in all, and in the last 30 days. It counts every call of the API and the worker, however it was made, within ten seconds; only a process that is killed loses the counts of its last seconds. Traces, which the operator may have exported, are not sent for a user.',
      ],
      examples: {
        responses: {
          'Gmail and the own classification service': {
            since: '2026-01-31T00:00:00.000Z',
            user: [
              {
                host: 'gmail.googleapis.com',
                purpose: 'mailbox',
                emailFields: [],
                total: { calls: 412, bytesSent: 903_114, bytesReceived: 5_120_772 },
                last30Days: { calls: 412, bytesSent: 903_114, bytesReceived: 5_120_772 },
                lastAt: '2026-02-01T08:00:00.000Z',
              },
              {
                host: 'ml:8000',
                purpose: 'classification',
                emailFields: ['id', 'from', 'subject', 'date', 'isRead', 'category', 'attachmentSizeMb'],
                total: { calls: 16, bytesSent: 402_118, bytesReceived: 310_220 },
                last30Days: { calls: 16, bytesSent: 402_118, bytesReceived: 310_220 },
                lastAt: '2026-02-01T07:58:12.000Z',
              },
            ],
            unsubscribeHosts: [],
            installation: [],
          },
        },
      },
    },
    exportMe: {
      method: 'get',
      path: '/api/v1/me/export',
      access: 'recent_sign_in',
      response: PersonalDataExportSchema,
      summary: 'Export stored data',
      description: [
        'Downloads everything stored about the user as one JSON document, table by table. Tokens and the encrypted texts of emails are not part of it.',
        'It needs a sign-in within the last ten minutes; otherwise it returns 401 `recent_sign_in_required` with the challenge of RFC 9470, and the session stays valid. Send the browser to `/auth/idp?renew=true` and repeat the request. A user has one export in flight at a time; another one returns 429 `too_many_requests_in_flight`. Each export is listed in the audit trail.',
      ],
      examples: {
        responses: {
          'Everything stored': {
            exportedAt: '2026-02-01T08:00:00.000Z',
            userId: USER_ID,
            data: {
              User: [{ id: USER_ID, email: 'ada@example.com', name: 'Ada Lovelace' }],
              ActionHistory: [],
            },
          },
        },
      },
    },
    eraseMe: {
      method: 'delete',
      path: '/api/v1/me',
      access: 'recent_sign_in',
      body: EraseMeRequestSchema,
      response: NoContentSchema,
      summary: 'Erase the account',
      description: [
        'Erases everything stored about the user, which is one mailbox, ends all its sessions and tokens, and revokes the access to the mailbox at its provider, if that takes revocations. It cannot be undone. The mailbox itself is not changed.',
        '`confirm` must be the email address of the account; anything else returns 400. Like the export, it needs a sign-in within the last ten minutes; otherwise it returns 401 `recent_sign_in_required`, and nothing is erased.',
      ],
      examples: {
        bodies: { 'The address of the account': { confirm: 'ada@example.com' } },
      },
    },
    listSessions: {
      method: 'get',
      path: '/api/v1/me/sessions',
      access: 'session',
      query: PaginationQuerySchema,
      response: ListSessionsResponseSchema,
      summary: 'List sessions',
      description: [
        'Returns the live sessions of the user: the current one first, then the others by last use. `lastUsedAt` is exact to the minute. 20 on a page by default, at most 100.',
      ],
      examples: {
        query: { page: 1, perPage: 20 },
        responses: {
          'Two sessions': pageOf([
            {
              id: SESSION_ID,
              createdAt: '2026-02-01T08:00:00.000Z',
              lastUsedAt: '2026-02-01T09:30:00.000Z',
              browser: 'Firefox on Windows',
              current: true,
            },
            {
              id: OTHER_SESSION_ID,
              createdAt: '2026-01-31T18:00:00.000Z',
              lastUsedAt: '2026-01-31T18:20:00.000Z',
              browser: null,
              current: false,
            },
          ]),
        },
      },
    },
    revokeSession: {
      method: 'delete',
      path: '/api/v1/me/sessions/{id}',
      access: 'session',
      params: SessionParamsSchema,
      response: NoContentSchema,
      summary: 'End a session',
      description: [
        'Signs out one session of the user; its token is refused from now on, as a cookie and as a Bearer token. With the current session it signs out this client and deletes the cookie. A session that has ended, or belongs to somebody else, returns 404.',
      ],
      examples: {
        params: { id: OTHER_SESSION_ID },
      },
    },
    listAuditEntries: {
      method: 'get',
      path: '/api/v1/me/audit',
      access: 'session',
      query: PaginationQuerySchema,
      response: ListAuditEntriesResponseSchema,
      summary: 'List the audit trail',
      description: [
        'Returns sign-ins, refused sign-ins, sign-outs, revoked sessions, changes of tokens, exports, and changes of the watch and of rules of the account, newest first. Entries are kept for 180 days by default. Accept unknown values of `event`: later versions add more.',
      ],
      examples: {
        query: { page: 1, perPage: 20 },
        responses: {
          'One sign-in': pageOf([
            {
              id: '0197a3c4-7777-7e8f-9a0b-1c2d3e4f5a6b',
              event: 'signed_in',
              at: '2026-02-01T08:00:00.000Z',
              sessionId: SESSION_ID,
              tokenId: null,
              address: '203.0.113.7',
              browser: 'Firefox on Windows',
              details: {},
            },
          ]),
        },
      },
    },
  },
});
