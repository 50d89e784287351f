import type { LateMailbox, MailboxSeed } from '../mailbox/mailbox-seed.ts';
import { DRAFTS_AND_CHATS } from './drafts-and-chats.ts';
import type { MailStream } from './mail-stream.ts';
import { PEOPLE_AND_WORK } from './people-and-work.ts';
import { PROMOTIONS } from './promotions.ts';
import { SOCIAL_AND_FORUMS } from './social-and-forums.ts';
import { UPDATES } from './updates.ts';
import { LARGE_USER, SEEDED_USERS, type SeededUser } from './users.ts';
import { writeMailbox } from './write-mailbox.ts';

const ALL_STREAMS: readonly MailStream[] = [
  ...PROMOTIONS,
  ...UPDATES,
  ...SOCIAL_AND_FORUMS,
  ...PEOPLE_AND_WORK,
  ...DRAFTS_AND_CHATS,
];

/** Branches of senders, each of which sends as much: many senders, as large mailboxes have. */
const BRANCHES = ['UK', 'France', 'Outlet', 'Club', 'Business'];
const toBranch = (stream: MailStream, branch: string): MailStream => ({
  ...stream,
  from: stream.from.replace(/ <(.+)@(.+)>$/, ` ${branch} <$1@${branch.toLowerCase()}.$2>`),
});
const BULK = [...PROMOTIONS, ...UPDATES, ...SOCIAL_AND_FORUMS];
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

/**
 * The mailboxes of the sandbox: a full one (about 1,500 emails over three years), a small one, an empty one, and one
 * whose mail has no categories.
 *
 * @param seededAtMs - all dates of mail hang on it; milliseconds since 1970
 * @param options.accounts - mail addresses; the seeded users's when left out
 * @param options.unsubscribeOrigin - where one-click addresses lead; to servers that do not exist when left out
 */
export const seedMailboxes = (
  seededAtMs: number,
  options: { accounts?: readonly string[] | undefined; unsubscribeOrigin?: string | undefined } = {},
): MailboxSeed[] =>
  (options.accounts?.map(toSeededUser) ?? SEEDED_USERS).map(({ user, share, hasCategories }) =>
    writeMailbox({
      user,
      share,
      hasCategories,
      streams: ALL_STREAMS,
      seededAtMs,
      unsubscribeOrigin: options.unsubscribeOrigin,
    }),
  );
