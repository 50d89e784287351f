import { createSecretKey } from 'node:crypto';
import type { Email } from '@mailsweep/contracts';
import { describe, expect, test } from 'vitest';
import { createReducer, type Reductions } from './reduce-email.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));
const USER = '019a0000-0000-7000-8000-000000000001';
const EMAIL: Email = {
  id: 'email-id',
  from: '"News" <News@Shop.Example>',
  subject: 'Your order',
  date: '2026-01-31T09:30:00.000Z',
  labels: [],
  isRead: true,
  attachmentSizeMb: 0.5,
  category: 'updates',
  snippet: 'snippet',
  hasAttachment: true,
  size: 1,
};

const reduce = (changes: Partial<Email>, reductions: Partial<Reductions>, { key = KEY, user = USER } = {}) =>
  createReducer(key).reduceEmail(
    user,
    { ...EMAIL, ...changes },
    { sender: 'kept', subject: 'kept', ...reductions },
  );

describe('reducing an email to training data', () => {
  test('keeps the fields that a classification service gets, and a pseudonym for the id', () => {
    expect(reduce({}, {})).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/),
      from: EMAIL.from,
      subject: EMAIL.subject,
      date: EMAIL.date,
      isRead: true,
      category: 'updates',
      attachmentSizeMb: 0.5,
    });
  });

  test.each([
    ['"News" <News@Shop.Example>', 'shop.example'],
    ['ada@mail.shop.example', 'mail.shop.example'],
    ['"ada@home.example" <news@shop.example>', 'shop.example'],
    // Programs disagree whose it is.
    ['<"ada@home"@shop.example>', ''],
    ['<ada@bücher.example>', 'xn--bcher-kva.example'],
    ['Ada Lovelace', ''],
    ['<shop@Ada Lovelace>', ''],
    ['<ada@>', ''],
    ['', ''],
  ])('leaves the domain of %s: %s', (from, domain) => {
    expect(reduce({ from }, { sender: 'domain' }).from).toBe(domain);
  });

  test('hashes senders by their address, whatever name they use', () => {
    const hash = reduce({}, { sender: 'hashed' }).from;
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(reduce({ from: 'Another name <news@shop.example>' }, { sender: 'hashed' }).from).toBe(hash);
    expect(reduce({ from: 'news@shop2.example' }, { sender: 'hashed' }).from).not.toBe(hash);
  });

  test('leaves out or hashes the subject', () => {
    expect(reduce({}, { subject: 'omitted' }).subject).toBe('');
    const hash = reduce({}, { subject: 'hashed' }).subject;
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(reduce({ id: 'other' }, { subject: 'hashed' }).subject).toBe(hash);
    expect(reduce({ subject: 'Your orders' }, { subject: 'hashed' }).subject).not.toBe(hash);
  });

  test('has pseudonyms that are stable within an installation and differ from those of another', () => {
    const hashed = { sender: 'hashed', subject: 'hashed' } as const;
    const other = createSecretKey(Buffer.alloc(32, 2));
    const here = reduce({}, hashed);
    const there = reduce({}, hashed, { key: other });
    expect(reduce({}, hashed)).toEqual(here);
    for (const field of ['id', 'from', 'subject'] as const) expect(there[field]).not.toBe(here[field]);
    expect(createReducer(KEY).toUser(USER)).toBe(createReducer(KEY).toUser(USER));
    expect(createReducer(other).toUser(USER)).not.toBe(createReducer(KEY).toUser(USER));
  });

  test('gives the same id of two mailboxes two pseudonyms, and no value that of another kind', () => {
    const user = '019a0000-0000-7000-8000-000000000002';
    expect(reduce({}, {}, { user }).id).not.toBe(reduce({}, {}).id);
    const alike = reduce({ from: 'same', subject: 'same' }, { sender: 'hashed', subject: 'hashed' });
    expect(alike.from).not.toBe(alike.subject);
  });
});
