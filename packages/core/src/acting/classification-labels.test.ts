import { type Mailbox, MailboxError } from '@mailsweep/mail/mailbox';
import { expect, test } from 'vitest';
import { findClassificationLabels, toLabelName } from './classification-labels.ts';

test.each([
  ['bulk', 'Mailsweep/bulk'],
  ['  stale   unread ', 'Mailsweep/stale unread'],
  ['a\u200bb\u0000c\u202ed', 'Mailsweep/abcd'],
  ['newsletters / tech', 'Mailsweep/newsletters/tech'],
  ['//a//', 'Mailsweep/a'],
  ['e\u0301te\u0301', 'Mailsweep/\u00e9t\u00e9'],
  ['/', undefined],
  ['\u200b', undefined],
])('the label for %j is %j', (classification, name) => {
  expect(toLabelName(classification)).toBe(name);
});

test('classifications that differ only in what names leave out share a label', async () => {
  const asked: (readonly string[])[] = [];
  const findOrCreateLabels = async (names: readonly string[]) => {
    asked.push(names);
    return new Map(names.map((name) => [name, { id: `id of ${name}` }]));
  };
  const found = await findClassificationLabels({ findOrCreateLabels }, ['bulk', ' bulk ', '/', 'old'], {});
  expect(asked).toEqual([['Mailsweep/bulk', 'Mailsweep/old']]);
  expect(found.get('bulk')).toEqual({ id: 'id of Mailsweep/bulk', name: 'Mailsweep/bulk' });
  expect(found.get(' bulk ')).toEqual({ id: 'id of Mailsweep/bulk', name: 'Mailsweep/bulk' });
  expect(found.get('/')).toEqual({ reason: 'failed', name: '' });
});

test('an error of the mailbox is the result for every classification', async () => {
  const away = new MailboxError('mailbox_unavailable', 'away');
  const found = await findClassificationLabels(
    { findOrCreateLabels: () => Promise.reject(away) },
    ['a', 'b'],
    { b: 'B' },
  );
  expect([...found]).toEqual([
    ['a', { reason: 'mailbox_unavailable', name: 'Mailsweep/a' }],
    ['b', { reason: 'mailbox_unavailable', name: 'B' }],
  ]);
});

test('the mailbox is asked nothing where nothing wants a label', async () => {
  const findOrCreateLabels = () => Promise.reject(new Error('asked'));
  expect(await findClassificationLabels({ findOrCreateLabels }, [], { a: 'A' })).toEqual(new Map());
});

test('names that the user chose are not limited by those of Mailsweep, nor do they depend on a parent', async () => {
  const asked: unknown[] = [];
  const findOrCreateLabels: Mailbox['findOrCreateLabels'] = async (names, limits) => {
    asked.push([names, limits.prefix, limits.inTotal]);
    return new Map(names.map((name) => [name, { id: `id of ${name}` }]));
  };
  const own = { receipt: 'Belege', other: 'Other' };
  const found = await findClassificationLabels({ findOrCreateLabels }, ['bulk', 'receipt', 'toString'], own);
  expect(asked).toEqual([
    [['Belege'], '', Number.POSITIVE_INFINITY],
    [['Mailsweep/bulk', 'Mailsweep/toString'], 'Mailsweep/', 100],
  ]);
  expect(found.get('receipt')).toEqual({ id: 'id of Belege', name: 'Belege' });
  expect(found.get('bulk')).toEqual({ id: 'id of Mailsweep/bulk', name: 'Mailsweep/bulk' });
});
