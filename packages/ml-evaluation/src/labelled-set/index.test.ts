import { expect, it } from 'vitest';
import { readLabelledSet } from './index.ts';

const now = new Date('2026-06-02T12:00:00.000Z');
const [training, validation, heldOut] = (['training', 'validation', 'held out'] as const).map((part) =>
  readLabelledSet(now, part),
);
const parts = [training ?? [], validation ?? [], heldOut ?? []];

it('has emails in many languages, each with an id of its own', () => {
  const all = parts.flat();
  expect(all.length).toBeGreaterThan(5_000);
  expect(new Set(all.map(({ email }) => email.id)).size).toBe(all.length);
  expect(new Set(all.map(({ language }) => language)).size).toBeGreaterThanOrEqual(10);
  expect(all.filter(({ kind }) => kind === undefined)).toEqual([]);
});

it('has all emails of a sender in one part', () => {
  const [senders = new Set<string>(), ...others] = parts.map(
    (part) => new Set(part.map(({ email }) => email.from)),
  );
  const [second = new Set<string>(), third = new Set<string>()] = others;
  expect([...senders].filter((from) => second.has(from) || third.has(from))).toEqual([]);
  expect([...second].filter((from) => third.has(from))).toEqual([]);
  const isOf = (domain: string) =>
    parts.map((part) => part.filter(({ email }) => email.from.includes(domain)).length);
  expect(isOf('amazon.de>').filter((count) => count > 0)).toHaveLength(1);
  expect(isOf('gmail.com>').filter((count) => count > 0)).toHaveLength(3);
});
