import { fullNameOf, type SeedMessage, type User } from '../mailbox/mailbox-seed.ts';
import type { MailStream } from './mail-stream.ts';
import type { Random } from './random.ts';

const MS_PER_MINUTE = 60_000;
/** How long the user takes to write back at most. */
const MAX_REPLY_MINUTES = 600;

/** Mails of one stream by conversation, oldest first. */
const toConversations = (mails: readonly SeedMessage[]): Map<string, SeedMessage[]> =>
  Map.groupBy(mails, ({ threadId }) => threadId);

/**
 * What the user wrote back to a stream: as Gmail files it, in the same conversation under SENT alone.
 *
 * @param latestMs - no reply is younger. Milliseconds since 1970
 */
export const writeReplies = (
  mails: readonly SeedMessage[],
  options: {
    user: User;
    stream: MailStream;
    random: Random;
    toId: (name: string) => string;
    latestMs: number;
  },
): SeedMessage[] => {
  const { user, stream, random, toId, latestMs } = options;
  return [...toConversations(mails)].flatMap(([threadId, conversation]) => {
    const last = conversation.at(-1);
    if (last === undefined || !random.chance(stream.replied ?? 0)) return [];
    const writtenAtMs = last.receivedAtMs + random.between(5, MAX_REPLY_MINUTES) * MS_PER_MINUTE;
    return {
      ...last,
      id: toId(`answer in ${threadId}`),
      from: `${fullNameOf(user)} <${user.email}>`,
      to: last.from,
      text: 'Thank you, that suits me well.',
      labels: ['SENT'],
      receivedAtMs: Math.min(writtenAtMs, latestMs),
      attachments: [],
    };
  });
};

/** Joins conversations as Gmail does: their id is that of the first message, and the others repeat its subject. */
export const joinConversations = (messages: readonly SeedMessage[]): SeedMessage[] =>
  [...toConversations(messages).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const subject = `Re: ${first.subject.replace(/^Re: /, '')}`;
    return [
      { ...first, threadId: first.id },
      ...others.map((message) => ({ ...message, threadId: first.id, subject })),
    ];
  });
