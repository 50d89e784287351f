import { createMaintenance } from '@mailsweep/core';
import { announceWork } from '@mailsweep/core/testing';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { eventually } from '@mailsweep/event-bus/testing';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { listenForWork } from './start-due-work.ts';

test('a loop is woken by what is announced of its kind alone', async () => {
  await announceWork(db.database, 'scan');
  await eventually(async () => expect(scan.wake).toHaveBeenCalledTimes(2));
  expect(cleanup.wake).toHaveBeenCalledTimes(1);
});

test('a lost connection is opened again, and all loops look for what was announced meanwhile', async () => {
  await db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%'`);
  await eventually(async () => expect(cleanup.wake).toHaveBeenCalledTimes(2));
  await announceWork(db.database, 'cleanup');
  await eventually(async () => expect(cleanup.wake).toHaveBeenCalledTimes(3));
});

const scan = { wake: vi.fn() };
const cleanup = { wake: vi.fn() };
let db: TestDatabase;
let close: () => unknown;
beforeEach(async () => {
  vi.clearAllMocks();
  db = await createTestDatabase();
  listenForWork(
    {
      databaseUrl: db.url,
      maintenance: createMaintenance(db.database),
      logger: createRecordingLogger().logger,
      lifecycle: {
        onClose(_name, closeListening) {
          close = closeListening;
        },
      },
    },
    new Map([
      ['scan', scan],
      ['cleanup', cleanup],
    ]),
  );
  // Once it listens, it wakes all.
  await eventually(async () => expect(scan.wake).toHaveBeenCalledTimes(1));
});
afterEach(async () => {
  await close();
  await db.drop();
});
