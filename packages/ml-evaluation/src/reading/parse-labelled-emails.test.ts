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

it('reads an export of training data: what was accepted is right, and of an email the last decision counts', () => {
  const toDecision = (id: string, action: string, accepted: boolean) =>
    JSON.stringify({
      user: 'a'.repeat(64),
      email: { ...EMAIL, id: id.repeat(64), from: 'example.com', subject: '' },
      reductions: { sender: 'domain', subject: 'omitted' },
      suggestion: { action, classification: 'bulk', confidence_score: 0.9 },
      accepted,
      decidedAt: '2026-02-01T10:00:00.000Z',
    });
  const text = [
    toDecision('1', 'archive', true),
    toDecision('2', 'delete', true),
    toDecision('2', 'delete', false),
  ].join('\n');
  expect(parseLabelledEmails(text)).toMatchObject([
    { email: { id: '1'.repeat(64) }, actions: ['archive'], classification: 'bulk' },
    { email: { id: '2'.repeat(64) }, actions: ['none'] },
  ]);
  expect(() => parseLabelledEmails(text.replace('"accepted":true', '"accepted":"hunter2"'))).toThrow(
    /^Line 1, accepted: /,
  );
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
