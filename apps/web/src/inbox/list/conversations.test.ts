import { describe, expect, it } from 'vitest';
import { sampleEmail } from '../../testing/sample-email.ts';
import { countConversations, countOthersInInbox } from './conversations.ts';

const talk = { threadId: 'talk' };

describe('the conversations of a list', () => {
  it('are counted where several emails of one are listed', () => {
    const emails = [sampleEmail(1, talk), sampleEmail(2, { threadId: 'alone' }), sampleEmail(3, talk)];
    expect([...countConversations(emails)]).toEqual([['talk', 2]]);
  });

  it('are not made of emails whose conversation is not known', () => {
    expect(countConversations([sampleEmail(1), sampleEmail(2)]).size).toBe(0);
  });

  it('have other emails in the inbox, which archived and sent ones are not', () => {
    const email = sampleEmail(1, talk);
    const others = [
      sampleEmail(2, talk),
      sampleEmail(3, { ...talk, labels: [] }),
      sampleEmail(4, { ...talk, labels: ['SENT'] }),
      sampleEmail(5, { threadId: 'another' }),
    ];
    expect(countOthersInInbox(email, [email, ...others])).toBe(1);
  });
});
