import type { ActionHistoryRecord } from '@mailsweep/contracts';
import { insertActionHistory } from '@mailsweep/core/testing';
import { v7 as uuidv7 } from 'uuid';
import { atMostTimes, medianTimesMs, type Result } from '../measure.ts';
import type { Servers } from '../servers.ts';

const ROUNDS = { warmUp: 5, counted: 40 };

const createRecords = (): ActionHistoryRecord[] => {
  const userId = uuidv7();
  const batchId = uuidv7();
  return Array.from({ length: 1_000 }, (_, index) => ({
    id: uuidv7(),
    userId,
    emailId: `email-${index}`,
    action: 'archive',
    timestamp: new Date().toISOString(),
    details: {
      source: 'inbox',
      gmailResponse: { status: 'ok' },
      note: 'Archived',
      labelChange: { added: [], removed: ['INBOX'] },
    },
    undoneAt: null,
    batchId,
  }));
};

/** 1,000 records at once, their counts included, against a bare insert into a table without any counts. */
export const measureInsertHistory = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ database, pool }) => {
    await pool.query('CREATE TABLE bare (LIKE "ActionHistory" INCLUDING ALL)');
    const times = await medianTimesMs(
      {
        ours: () => insertActionHistory(database, createRecords()),
        floor: () =>
          pool.query(
            `INSERT INTO bare ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
             SELECT "id", "userId", "emailId", "action", "timestamp", "details", "batchId"
             FROM jsonb_to_recordset($1::jsonb) AS record(
               "id" uuid, "userId" uuid, "emailId" text, "action" text, "timestamp" timestamptz, "details" jsonb,
               "batchId" uuid)`,
            [JSON.stringify(createRecords())],
          ),
      },
      ROUNDS,
    );
    return [
      atMostTimes(2, {
        name: 'insert 1,000 history records; floor: bare jsonb_to_recordset by pg',
        unit: 'ms',
        ...times,
      }),
    ];
  });
