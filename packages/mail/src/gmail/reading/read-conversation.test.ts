import type { TestMessage } from '@mailsweep/google-sandbox/testing/gmail';
import { describe, expect, it } from 'vitest';
import { setUpMailbox } from '../testing/test-mailbox.ts';

const message = (id: string, labels: string[], day: number): TestMessage => ({
  id,
  threadId: 'talk',
  labels,
  receivedAtMs: Date.UTC(2026, 0, day),
});

describe('a conversation', () => {
  it('is read in one call, the emails of the inbox newest first', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: [
        message('newest', ['INBOX', 'UNREAD'], 3),
        { id: 'stranger', labels: ['INBOX'] },
        message('oldest', ['INBOX'], 1),
      ],
    });
    const conversation = await mailbox.readConversation('talk');

    expect(conversation).toMatchObject({
      threadId: 'talk',
      emails: [
        { id: 'newest', threadId: 'talk', isRead: false },
        { id: 'oldest', isRead: true },
      ],
      otherMessages: 0,
    });
    expect(gmail.units()).toBe(40);
  });

  it('offers what is in the inbox, also what users sent to themselves, but no chat, spam or trash', async () => {
    const { mailbox } = await setUpMailbox({
      messages: [
        message('in', ['INBOX'], 1),
        message('sent', ['SENT'], 2),
        message('to myself', ['SENT', 'INBOX'], 3),
        message('archived', [], 4),
        message('draft', ['DRAFT'], 5),
        message('chat', ['CHAT', 'INBOX'], 6),
        message('spam', ['SPAM'], 7),
        message('trash', ['TRASH'], 8),
      ],
    });
    const { emails, otherMessages } = await mailbox.readConversation('talk');

    expect(emails.map(({ id }) => id)).toEqual(['to myself', 'in']);
    // Sent and archived: what else Gmail shows of the conversation.
    expect(otherMessages).toBe(2);
  });

  it.each(['gone', '..'])('that is not there is said to be so: %s', async (threadId) => {
    const { mailbox } = await setUpMailbox();
    await expect(mailbox.readConversation(threadId)).rejects.toMatchObject({ code: 'not_found' });
  });
});
