import type { Conversation, Email } from '@mailsweep/contracts';
import { SYSTEM_LABELS } from './labels.ts';
import { isMail } from './matches-query.ts';

const { inbox, spam, trash } = SYSTEM_LABELS;

/** Makes a conversation of all its messages, whatever their labels. */
export const toConversation = (threadId: string, messages: readonly Email[]): Conversation => {
  const shown = messages.filter(
    ({ labels }) => isMail(labels) && !labels.includes(spam) && !labels.includes(trash),
  );
  const emails = shown.filter(({ labels }) => labels.includes(inbox));
  return {
    threadId,
    emails: emails.toSorted((one, other) => other.date.localeCompare(one.date)),
    otherMessages: shown.length - emails.length,
  };
};
