import { MAIL } from '../../protocol/jmap-schemas.ts';
import type { FakeJmapOptions } from './fake-jmap.ts';

/** The servers whose ways the fake server takes. */
export const SERVERS = ['Cyrus', 'Stalwart', 'James', 'Fastmail'] as const;
export type ServerName = (typeof SERVERS)[number];

const CYRUS_ACCOUNT = {
  name: 'ada',
  isPersonal: true,
  isReadOnly: false,
  accountCapabilities: { [MAIL]: { maxMailboxesPerEmail: 20, mayCreateTopLevelMailbox: true } },
};

/** What each server does that others do not, with its source. What is not listed is as RFC 8620 and 8621 have it. */
export const PROFILES: Readonly<Record<ServerName, FakeJmapOptions>> = {
  // Debian's cyrus-imapd 3.6.1; each of these is tried at the real one, in cyrus.test.ts.
  Cyrus: {
    // The session of a new account.
    limits: {
      maxConcurrentRequests: 5,
      maxCallsInRequest: 50,
      maxObjectsInGet: 4_096,
      maxObjectsInSet: 4_096,
    },
    session: { accounts: { account: CYRUS_ACCOUNT } },
    maxMailboxesPerEmail: 20,
    destroysOrphans: true,
    takesEmailToGoneMailboxes: true,
    futureState: 'repeat',
  },
  Stalwart: {
    // crates/jmap/src/email/query.rs: Filter::After is a "greater than".
    excludesAfter: true,
    // crates/common/src/config/jmap/settings.rs, the defaults.
    limits: { maxConcurrentRequests: 4, maxCallsInRequest: 16, maxObjectsInGet: 500, maxObjectsInSet: 500 },
    // Its states are hashes or numbers in base 32, not decimal ones.
    statePrefix: 's',
    // github.com/bulwarkmail/webmail/issues/578: a new account has these, and no archive.
    roles: {
      inbox: 'Inbox',
      sent: 'Sent Items',
      drafts: 'Drafts',
      trash: 'Deleted Items',
      junk: 'Junk Mail',
    },
    // A truncated log is `cannotCalculateChanges`; so is a state that never was.
    futureState: 'refuse',
  },
  // server/protocols/jmap-rfc-8621/src/main/scala/org/apache/james/jmap, from here on.
  James: {
    refuses: [
      // method/EmailQueryMethod.scala, validateRequestParameters: `invalidArguments` for any anchor.
      'anchors',
      // mail/EmailQuery.scala, rejectMailboxFilters: `unsupportedFilter` for mailboxes within an operator.
      'nestedMailboxes',
      // mail/EmailGet.scala before 3.8: SpecificHeaderRequest knows no `:all`.
      'allHeaders',
      // mail/MailboxSet.scala: the role is set by the server.
      'roles',
    ],
    // mail/EmailQuery.scala: the response has no total; core/Query.scala, Limit.default: 256 ids at most.
    hasTotals: false,
    mostListed: 256,
    // core/JmapRfc8621Configuration.scala, JMAP_EMAIL_GET_FULL_MAX_SIZE_DEFAULT.
    mostRead: 5,
    // method/EmailSetMethod.scala does not look at `ifInState`.
    ignoresStates: true,
    // core/Session.scala, UuidState.
    statePrefix: '2c9f1b12-b35a-43e6-9af2-',
    futureState: 'refuse',
    // mailbox/DefaultMailboxes.java, without the archive that older accounts lack.
    roles: { inbox: 'INBOX', outbox: 'Outbox', sent: 'Sent', trash: 'Trash', drafts: 'Drafts', junk: 'Spam' },
  },
  Fastmail: {
    // It is built on Cyrus; the session resource of its public API.
    limits: {
      maxConcurrentRequests: 10,
      maxCallsInRequest: 50,
      maxObjectsInGet: 4_096,
      maxObjectsInSet: 4_096,
    },
    // github.com/fastmail/JMAP-Samples/issues/8: no event source.
    session: { eventSourceUrl: '' },
    statePrefix: 'J',
    futureState: 'refuse',
  },
};
