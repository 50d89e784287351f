import type { MailboxSeed } from '../mailbox-seed.ts';
import type { MailStream } from './mail-stream.ts';
import { SEEDED_PEOPLE } from './people.ts';
import { PEOPLE_AND_WORK } from './people-and-work.ts';
import { PROMOTIONS } from './promotions.ts';
import { SOCIAL_AND_FORUMS } from './social-and-forums.ts';
import { UPDATES } from './updates.ts';
import { writeMailbox } from './write-mailbox.ts';

const ALL_STREAMS: readonly MailStream[] = [
  ...PROMOTIONS,
  ...UPDATES,
  ...SOCIAL_AND_FORUMS,
  ...PEOPLE_AND_WORK,
];

/**
 * The mailboxes of the sandbox: a full one (about 1,500 mails over three years), a small one and an empty one.
 *
 * @param seededAtMs - all dates of mail hang on it; milliseconds since 1970
 */
export const seedMailboxes = (seededAtMs: number): MailboxSeed[] =>
  SEEDED_PEOPLE.map(({ person, share }) => writeMailbox({ person, share, streams: ALL_STREAMS, seededAtMs }));
