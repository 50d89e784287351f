import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRequestSlots } from './request-slots.ts';

const LEASE_MS = 60_000;

it('lets all processes together have as many requests of a user in flight as the provider takes', async () => {
  const processes = [openSlots(), openSlots(), openSlots()];
  const userId = randomUUID();
  const takes = Array.from({ length: 30 }, (_, index) => processes[index % 3]?.take(userId, 4, LEASE_MS));
  const taken = (await Promise.all(takes)).filter((release) => release !== undefined);
  expect(taken).toHaveLength(4);
  expect(await processes[0]?.take(randomUUID(), 1, LEASE_MS)).toBeDefined();
});

it('gives a slot again once its request has its response', async () => {
  const userId = randomUUID();
  const slots = openSlots();
  const release = await slots.take(userId, 1, LEASE_MS);
  expect(await slots.take(userId, 1, LEASE_MS)).toBeUndefined();
  await release?.();
  expect(await openSlots().take(userId, 1, LEASE_MS)).toBeDefined();
});

it('gives the slots of a process that died again when their leases have ended', async () => {
  const userId = randomUUID();
  await openSlots().take(userId, 1, LEASE_MS);
  const [{ secondsLeft = 0 } = {}] = await db.query<{ secondsLeft: number }>(
    `SELECT lease.value::float8 - extract(epoch FROM now())::float8 AS "secondsLeft"
     FROM "RequestsInFlight", jsonb_each("leases") AS lease WHERE "userId" = $1`,
    [userId],
  );
  expect(secondsLeft).toBeGreaterThan(60);
  expect(secondsLeft).toBeLessThan(70);
  await db.query(`UPDATE "RequestsInFlight" SET "leases" = '{"died": 1}' WHERE "userId" = $1`, [userId]);
  expect(await openSlots().take(userId, 1, LEASE_MS)).toBeDefined();
  expect(await openSlots().take(userId, 1, LEASE_MS)).toBeUndefined();
  const [row] = await db.query('SELECT "leases" FROM "RequestsInFlight" WHERE "userId" = $1', [userId]);
  expect(row).not.toMatchObject({ leases: { died: 1 } });
});

it('gives slots that it cannot count while the database is away', async () => {
  const errors: unknown[] = [];
  const slots = openSlots((error) => errors.push(error));
  const userId = randomUUID();
  const before = await slots.take(userId, 1, LEASE_MS);
  await db.query('ALTER TABLE "RequestsInFlight" RENAME TO "Away"');
  await before?.();
  const uncounted = await slots.take(userId, 1, LEASE_MS);
  expect(uncounted).toBeDefined();
  expect(errors).toHaveLength(2);
  await db.query('ALTER TABLE "Away" RENAME TO "RequestsInFlight"');
  await uncounted?.();
  expect(await slots.take(userId, 1, LEASE_MS)).toBeUndefined();
});

const openSlots = (onUnavailable: (error: unknown) => void = () => undefined) =>
  createRequestSlots({ database: db.database, onUnavailable });

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
