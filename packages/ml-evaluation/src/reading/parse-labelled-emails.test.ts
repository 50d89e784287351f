import { expect, it } from 'vitest';
import { parseLabelledEmails } from './parse-labelled-emails.ts';

const EMAIL = {
  id: 'one',
  from: 'Ada <ada@example.com>',
  subject: 'hunter2',
  date: '2026-01-05T08:00:00.000Z',
  isRead: true,
  category: 'primary',
  attachmentSizeMb: 0,
};
const toLine = (changes: object = {}, email: object = {}) =>
  JSON.stringify({ email: { ...EMAIL, ...email }, action: 'none', ...changes });

it('reads a line for each email', () => {
  const text = `${toLine({ kind: 'personal' })}\r\n\n${toLine({ action: ['archive', 'delete'], classification: 'bulk' }, { id: 'two' })}\n`;
  expect(parseLabelledEmails(text)).toEqual([
    { email: EMAIL, actions: ['none'], classification: undefined, kind: 'personal' },
    {
      email: { ...EMAIL, id: 'two' },
      actions: ['archive', 'delete'],
      classification: 'bulk',
      kind: undefined,
    },
  ]);
});

it.each([
  ['{"email":', 'Line 2 is not JSON.'],
  [toLine({}, { id: 'two', isRead: 'hunter2' }), /^Line 2, email\.isRead: /],
  [toLine({ action: [] }, { id: 'two' }), /^Line 2, action: /],
  [toLine({ labels: 1 }, { id: 'two' }), /^Line 2, the whole: /],
  [toLine(), 'Two emails have the same id.'],
])('names what is wrong with a line, and repeats no email: %#', (line, message) => {
  const parse = () => parseLabelledEmails(`${toLine()}\n${line}`);
  expect(parse).toThrow(message);
  expect(parse).not.toThrow('hunter2');
});

it('refuses a file without emails', () => {
  expect(() => parseLabelledEmails('\n')).toThrow('no emails');
});
