import type { LateMailbox, MailboxSeed } from '../mailbox/mailbox-seed.ts';
import type { MailStream } from './mail-stream.ts';
import streams from './mail-streams.json' with { type: 'json' };
import { LARGE_USER, SEEDED_USERS, type SeededUser } from './users.ts';
import { writeMailbox } from './write-mailbox.ts';

/** What Gmail lists beside mail comes last: drafts, whose sender is the user, and the chats of earlier years. */
const { bulk: BULK, others } = streams as unknown as Record<'bulk' | 'others', readonly MailStream[]>;
const ALL_STREAMS = [...BULK, ...others];

/** Branches of senders, each of which sends as much: many senders, as large mailboxes have. */
const BRANCHES = ['UK', 'France', 'Outlet', 'Club', 'Business'];
const toBranch = (stream: MailStream, branch: string): MailStream => ({
  ...stream,
  from: stream.from.replace(/ <(.+)@(.+)>$/, ` ${branch} <$1@${branch.toLowerCase()}.$2>`),
});
const LARGE_STREAMS = [
  ...ALL_STREAMS,
  ...BRANCHES.flatMap((branch) => BULK.map((stream) => toBranch(stream, branch))),
];

/** A mailbox of about 10,000 emails of three years. */
export const toLargeMailbox = (options: { unsubscribeOrigin?: string | undefined } = {}): LateMailbox => ({
  user: LARGE_USER.user,
  write: (seededAtMs) =>
    writeMailbox({
      ...LARGE_USER,
      share: 1,
      hasCategories: true,
      streams: LARGE_STREAMS,
      seededAtMs,
      unsubscribeOrigin: options.unsubscribeOrigin,
    }),
});

/** Someone who is not seeded gets a mailbox like that of the first who is. */
const toSeededUser = (email: string): SeededUser => {
  const known = SEEDED_USERS.find(({ user }) => user.email === email);
  if (known !== undefined) return known;
  const [name = email] = email.split('@');
  return {
    user: { email, givenName: name, familyName: 'Example', locale: 'en' },
    share: 0.8,
    hasCategories: true,
    description: 'about 1,500 emails over three years',
  };
};

interface SeedOptions {
  /** Mail addresses; those of the seeded users when left out. */
  accounts?: readonly string[] | undefined;
  /** Where one-click addresses lead; to servers that do not exist when left out. */
  unsubscribeOrigin?: string | undefined;
}

const toSeededUsers = ({ accounts }: SeedOptions): readonly SeededUser[] =>
  accounts?.map(toSeededUser) ?? SEEDED_USERS;

/**
 * The mailboxes of the sandbox: a full one (about 1,500 emails over three years), a small one, an empty one, and one
 * whose mail has no categories.
 *
 * @param seededAtMs - all dates of mail hang on it; milliseconds since 1970
 */
export const seedMailboxes = (seededAtMs: number, options: SeedOptions = {}): MailboxSeed[] =>
  toSeededUsers(options).map(({ user, share, hasCategories }) =>
    writeMailbox({
      user,
      share,
      hasCategories,
      streams: ALL_STREAMS,
      seededAtMs,
      unsubscribeOrigin: options.unsubscribeOrigin,
    }),
  );

const COPY_ADDRESS = /^([^+@]+)\+[^@]+(@.+)$/;

/** The mailbox of `ada+word@example.com`: a copy of Ada's as it was seeded. Undefined for who copies no seeded user. */
export const toCopiedMailbox = (email: string, options: SeedOptions = {}): LateMailbox | undefined => {
  const original = email.replace(COPY_ADDRESS, '$1$2');
  const copied = original !== email && toSeededUsers(options).find(({ user }) => user.email === original);
  if (!copied) return undefined;
  const user = { ...copied.user, email };
  return {
    user,
    write: (seededAtMs) =>
      writeMailbox({
        ...copied,
        user,
        like: copied.user,
        streams: ALL_STREAMS,
        seededAtMs,
        unsubscribeOrigin: options.unsubscribeOrigin,
      }),
  };
};
