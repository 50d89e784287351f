import { expect, it } from 'vitest';
import { toChangedEmails } from './skip-reasons.ts';

it.each([
  ['is no mail any more, such as what was snoozed', ['mbx:snoozed', 'CHAT'], ['mbx:archive'], 'moved'],
  ['was put into the trash', ['TRASH'], [], 'moved'],
  ['has another label', ['mbx:bills'], [], undefined],
])('an email that %s since it was planned is skipped accordingly', (_, added, removed, reason) => {
  const messages = new Map([['one', { added: new Set(added), removed: new Set(removed), isDeleted: false }]]);
  const { reasonOf } = toChangedEmails({
    historyId: '1',
    isLate: false,
    messages,
    answeredThreads: new Set(),
    arrivedIds: [],
  });
  expect(reasonOf.get('one')).toBe(reason);
});
