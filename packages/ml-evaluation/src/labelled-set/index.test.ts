import { expect, it } from 'vitest';
import { readLabelledSet } from './index.ts';

const now = new Date('2026-06-02T12:00:00.000Z');
const parts = (['training', 'held out'] as const).map((part) => readLabelledSet(now, part));

it('has emails in many languages, each with an id of its own', () => {
  const all = parts.flat();
  expect(all.length).toBeGreaterThan(5_000);
  expect(new Set(all.map(({ email }) => email.id)).size).toBe(all.length);
  expect(new Set(all.map(({ language }) => language)).size).toBeGreaterThanOrEqual(10);
  expect(all.filter(({ kind }) => kind === undefined)).toEqual([]);
});

it('has all emails of a sender in one part', () => {
  const [senders = new Set<string>(), others = new Set<string>()] = parts.map(
    (part) => new Set(part.map(({ email }) => email.from)),
  );
  expect([...senders].filter((from) => others.has(from))).toEqual([]);
  const isOf = (domain: string) =>
    parts.map((part) => part.filter(({ email }) => email.from.includes(domain)).length);
  expect(isOf('amazon.de>').filter((count) => count > 0)).toHaveLength(1);
  expect(isOf('gmail.com>').filter((count) => count > 0)).toHaveLength(2);
});
