import { describe, expect, it } from 'vitest';
import { sampleEmail } from '../testing/sample-mail.ts';
import { countConversations, countOthersInInbox } from './conversations.ts';

const talk = { threadId: 'talk' };

describe('the conversations of a list', () => {
  it('are counted where several mails of one are listed', () => {
    const emails = [sampleEmail(1, talk), sampleEmail(2, { threadId: 'alone' }), sampleEmail(3, talk)];
    expect([...countConversations(emails)]).toEqual([['talk', 2]]);
  });

  it('are not made of mails whose conversation is not known', () => {
    expect(countConversations([sampleEmail(1), sampleEmail(2)]).size).toBe(0);
  });

  it('have other mails in the inbox, which archived and sent ones are not', () => {
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
