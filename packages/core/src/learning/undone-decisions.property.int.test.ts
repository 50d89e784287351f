import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { propertyRuns } from '../testing/config.ts';
import { inFrozenTime } from '../testing/frozen-time.ts';
import { readAcceptanceModel } from './learned-acceptance.repository.ts';

const RUNS = propertyRuns({ numRuns: 30 });
const MS_PER_RUN = 2_000;

/** Both make the same decisions, but one makes none of those that the other undoes. */
const UNDOING = '019a0000-0000-7000-8000-00000000000a';
const RESOLUTE = '019a0000-0000-7000-8000-00000000000b';

const KINDS = [
  { action: 'archive', classification: 'bulk' },
  { action: 'archive', classification: 'social' },
  { action: 'delete', classification: 'promotions_old' },
] as const;

/** One request: decisions about emails of senders, and how many of the requests before it are then undone. */
const request = fc.record({
  action: fc.constantFrom('accept', 'reject'),
  emails: fc.uniqueArray(fc.nat(11), { minLength: 1, maxLength: 12 }),
  kind: fc.nat(KINDS.length - 1),
  acceptance: fc.constantFrom(0.5, 0.96),
  undoes: fc.uniqueArray(fc.nat(9), { maxLength: 3 }),
});

test(
  'what was undone was never decided: the rest is learned as by a user who decided nothing else',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 10 }), async (requests) => {
        await inFrozenTime(testDatabase.database, async (tx) => {
          const undone = new Set<number>();
          const decide = async (userId: string, index: number) => {
            const { action, emails, kind, acceptance } = requests[index] as (typeof requests)[number];
            const suggestion = { ...KINDS[kind], confidence_score: 0.9, acceptance };
            await tx.$executeRawUnsafe(
              `INSERT INTO "ActionHistory"
                 ("id", "userId", "emailId", "action", "timestamp", "details", "senderKey", "batchId")
               SELECT gen_random_uuid(), $1::uuid, 'm' || email, $2, $3::timestamptz, $4::jsonb,
                 sha256((email % 3)::text::bytea), $5::uuid
               FROM unnest($6::int[]) AS email`,
              userId,
              action,
              new Date(NOW_MS + index * 1_000),
              JSON.stringify({ source: 'suggestions', suggestions: [suggestion] }),
              batchIdOf(userId, index),
              emails,
            );
          };
          for (const [index, { undoes }] of requests.entries()) {
            await decide(UNDOING, index);
            const undoing = undoes.filter((number) => number <= index && !undone.has(number));
            for (const number of undoing) undone.add(number);
            await tx.$executeRawUnsafe(
              `UPDATE "ActionHistory" SET "undoneAt" = $1::timestamptz WHERE "batchId" = ANY($2::uuid[])`,
              new Date(NOW_MS + index * 1_000),
              undoing.map((number) => batchIdOf(UNDOING, number)),
            );
          }
          for (const index of requests.keys()) if (!undone.has(index)) await decide(RESOLUTE, index);
          const learnedBy = async (userId: string) => ({
            senders: await tx.$queryRawUnsafe(
              `SELECT encode("senderKey", 'hex') AS "sender", "action", "classification", "decided", "accepted",
                 round("confidence"::numeric, 6)::text AS "confidence", "decidedAt"
               FROM "SenderAcceptance" WHERE "userId" = $1::uuid ORDER BY 1, 2, 3`,
              userId,
            ),
            stopped: await tx.$queryRawUnsafe(
              `SELECT encode("senderKey", 'hex') AS "sender", "action" FROM "StoppedSuggestion"
               WHERE "userId" = $1::uuid AND "stoppedAt" IS NOT NULL ORDER BY 1, 2`,
              userId,
            ),
            doubtedAt: (await readAcceptanceModel(tx, userId)).doubtedAt,
          });
          expect(await learnedBy(UNDOING)).toEqual(await learnedBy(RESOLUTE));
        });
      }),
      RUNS,
    );
  },
  RUNS.numRuns * MS_PER_RUN,
);

const NOW_MS = Date.UTC(2026, 2, 1);
/** Ids of requests by number. */
const batchIds = new Map<string, string>();
const batchIdOf = (userId: string, index: number): string => {
  const key = `${userId} ${index}`;
  const id = batchIds.get(key) ?? uuidv7();
  batchIds.set(key, id);
  return id;
};

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
  for (const userId of [UNDOING, RESOLUTE]) {
    await testDatabase.query(
      `INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, $2, 'user@example.com')`,
      [userId, `subject of ${userId}`],
    );
  }
});
afterAll(() => testDatabase.drop());
