import { applyChange, isEmptyChange } from '@mailsweep/mail/mailbox';
import { describe, expect, test } from 'vitest';
import { LABEL_CHANGES } from './prepare-chosen-action.ts';

describe('what the inbox actions want', () => {
  test.each([
    ['archive', ['INBOX', 'UNREAD'], ['UNREAD']],
    ['archive', ['STARRED'], ['STARRED']],
    ['delete', ['INBOX', 'UNREAD'], ['TRASH', 'UNREAD']],
    ['mark_unread', ['INBOX'], ['INBOX', 'UNREAD']],
  ] as const)('%s makes of %j %j', (action, before, after) => {
    expect(applyChange(before, LABEL_CHANGES[action]).toSorted()).toEqual(after);
  });

  test('is never nothing', () => {
    for (const requested of Object.values(LABEL_CHANGES)) expect(isEmptyChange(requested)).toBe(false);
  });
});
