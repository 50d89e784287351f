import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { deriveKey } from '@mailsweep/mail/provider-connection';
import getPort from 'get-port';
import jwt from 'jsonwebtoken';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { startApi, startServer } from '../api-process.ts';
import { captureStatement } from '../captured-statement.ts';
import { deployApi } from '../deployed-api.ts';
import type { FloorOptions } from '../floors/authenticated-read.ts';
import { responsesPerSecond } from '../http-load.ts';
import { atLeastTimes, medianRates, type Result } from '../measure.ts';
import type { Servers } from '../servers.ts';

const FLOOR = fileURLToPath(new URL('../floors/authenticated-read.ts', import.meta.url));
const HISTORY = '/api/v1/notifications/history?perPage=20';
const ME = '/api/v1/me';
/** As many as the API has by default. */
const DATABASE_CONNECTIONS = 10;
const CLIENTS = 16;
/** Short rounds, and many: the speed of a machine that others share changes from second to second. */
const RUN_MS = 1_000;
const ROUNDS = 21;
/** Until V8 has optimised both; it takes some 20,000 requests for the API. */
const WARM_UP_ROUNDS = 12;

/** Inserts a user with a session and 5,000 history records. */
export const insertSignedInUser = async (pool: pg.Pool): Promise<{ userId: string; sessionId: string }> => {
  const [userId, sessionId] = [uuidv7(), uuidv7()];
  await pool.query(
    `INSERT INTO "User" ("id", "providerSubject", "email", "name") VALUES ($1, 'bench', 'ada@example.com', 'Ada')`,
    [userId],
  );
  await pool.query(
    `INSERT INTO "ProviderConnection" ("userId", "encryptedAccessToken", "accessTokenExpiresAt", "scope")
     VALUES ($1, '', now(), '')`,
    [userId],
  );
  await pool.query(
    `INSERT INTO "Session" ("id", "userId", "expiresAt") VALUES ($1, $2, now() + interval '1 hour')`,
    [sessionId, userId],
  );
  await pool.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
     SELECT gen_random_uuid(), $1, 'email-' || n, 'archive', now() - random() * interval '90 days',
       '{"source":"inbox","gmailResponse":{"status":"ok"},"note":"Archived","labelChange":{"added":[],"removed":["INBOX"]}}', gen_random_uuid()
     FROM generate_series(1, 5000) AS n`,
    [userId],
  );
  await pool.query('VACUUM ANALYZE');
  return { userId, sessionId };
};

/** The token of a session, as the API signs it. */
export const signToken = (
  { userId, sessionId }: { userId: string; sessionId: string },
  encryptionKey: Buffer,
): string =>
  jwt.sign({ sid: sessionId }, deriveKey(encryptionKey, 'session'), {
    issuer: 'mailsweep',
    audience: 'mailsweep-session',
    subject: userId,
    expiresIn: '1h',
  });

/** Requests a second of the API process, deployed as its image has it, against node:http and pg with the same token check and statements. */
export const measureAuthenticatedRead = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ url: databaseUrl, pool }) => {
    const signedIn = await insertSignedInUser(pool);
    const { userId } = signedIn;
    await using deployed = await deployApi();
    const encryptionKey = randomBytes(32);
    const tokenKey = deriveKey(encryptionKey, 'session');
    const token = signToken(signedIn, encryptionKey);
    const floorOptions: FloorOptions = {
      port: await getPort(),
      databaseUrl,
      connections: DATABASE_CONNECTIONS,
      tokenKey: tokenKey.toString('hex'),
      statements: {
        [HISTORY]: await captureStatement((recorder) =>
          recorder.history.list(userId, { page: 1, perPage: 20 }),
        ),
        [ME]: {
          text: `SELECT "email", "name", "ProviderConnection"."userId" IS NOT NULL AND "reauthRequiredAt" IS NULL
                 FROM "User" LEFT JOIN "ProviderConnection" ON "ProviderConnection"."userId" = "User"."id"
                 WHERE "User"."id" = $1::uuid`,
          values: [userId],
        },
      },
    };
    await using floor = await startServer({
      args: [...deployed.nodeFlags, FLOOR, JSON.stringify(floorOptions)],
      env: { NODE_ENV: 'production' },
      port: floorOptions.port,
      healthPath: '/up',
    });
    await using api = await startApi({
      deployed,
      databaseUrl,
      redisUrl: null,
      encryptionKey,
      port: await getPort(),
    });

    const results: Result[] = [];
    for (const path of [HISTORY, ME]) {
      const rateOf =
        ({ port }: { port: number }) =>
        () =>
          responsesPerSecond({ port, path, token, connections: CLIENTS, durationMs: RUN_MS });
      const works = { floor: rateOf(floor), ours: rateOf(api) };
      await medianRates(works, WARM_UP_ROUNDS);
      results.push(
        atLeastTimes(0.75, {
          name: `GET ${path}; floor: node:http and pg, same token check and SQL`,
          unit: 'per second',
          ...(await medianRates(works, ROUNDS)),
        }),
      );
    }
    return results;
  });
