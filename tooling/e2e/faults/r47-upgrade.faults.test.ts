import { migrateDatabase } from '@mailsweep/database/migrate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startBalancer } from './harness/balancer.ts';
import { eventually, openRow, retriesUnderLoad } from './harness/campaign.ts';
import { checkOutEarlier, hasCommit, PREVIOUS_RELEASE } from './harness/earlier-checkout.ts';
import { explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { createRejections } from './harness/many-users.ts';
import { ONE_CLIENT_FOR_MANY, startSteadyLoad } from './harness/steady-load.ts';

const USERS = ['ada@example.com', 'bob@example.com', 'cleo@example.com', 'dan@example.com'];
const REQUESTS_PER_SECOND = 6;
/** Every so many-th request confirms something; the others read. */
const CONFIRM_EVERY = 6;
/** Requests of each version on each schema. */
const REQUESTS = 12;

const isSkipped = !hasCommit(PREVIOUS_RELEASE);
const row = openRow('R47');

describe.skipIf(isSkipped)(
  `R47 an upgrade under load${isSkipped ? ' (skipped: a shallow clone)' : ''}`,
  () => {
    it('fails no request, and can be taken back', { retry: retriesUnderLoad() }, async () => {
      explainFailure(stack);
      await startPrevious();
      users = [];
      for (const email of USERS) users.push(await stack.signIn(email));
      const balancer = await startBalancer(stack.apis);
      const rejections = createRejections({ stack, users });
      let answered = 0;
      const load = startSteadyLoad({
        requestsPerSecond: REQUESTS_PER_SECOND,
        send: async (number) => {
          const cookie = users[number % users.length]?.cookie ?? '';
          const reply =
            number % CONFIRM_EVERY !== 0
              ? await balancer.ask(number % 2 === 0 ? '/api/v1/emails' : '/api/v1/notifications/history', {
                  cookie,
                })
              : await rejections.reject((user, path, json) =>
                  balancer.ask(path, { cookie: user.cookie, json }),
                );
          answered += 1;
          return reply;
        },
      });
      const serveForAWhile = async () => {
        const before = answered;
        await eventually(() => expect(answered).toBeGreaterThan(before + REQUESTS));
      };

      await serveForAWhile();
      expect(await migrateDatabase({ databaseUrl: stack.database.ownerUrl })).toEqual(
        previous.newerMigrations,
      );
      // The previous release on the new schema.
      await serveForAWhile();
      for (const member of stack.members) {
        await member.stop();
        await member.start();
        if (stack.apis.includes(member)) await eventually(() => expect(balancer.isReady(member)).toBe(true));
        row.ran();
      }
      await serveForAWhile();
      const { replies, failures } = await load.stop();
      await balancer.close();
      for (const { tookMs } of replies) row.responded(tookMs);
      row.lost(failures.length);
      expect(failures).toEqual([]);

      await stack.waitUntilFinished();
      await startPrevious();
      row.ran();
      for (const user of users) expect((await user.ask('/api/v1/emails')).status).toBe(200);
      const { status } = await rejections.reject((user, path, json) => user.ask(path, { json }));
      expect(status).toBe(200);
      await stack.waitUntilFinished();
      await rejections.judge(row);
    });

    /** Ends what runs, takes back the newer migrations, and starts the previous release. */
    const startPrevious = async () => {
      await Promise.all(stack.members.map((member) => member.stop()));
      // After a failed attempt, they may be taken back already.
      await migrateDatabase({ databaseUrl: stack.database.ownerUrl });
      await previous.rollBack(stack.database.ownerUrl);
      await Promise.all(stack.members.map((member) => member.start({}, previous.root)));
    };

    let previous: Awaited<ReturnType<typeof checkOutEarlier>>;
    let stack: FaultStack;
    let users: User[];
    beforeAll(async () => {
      previous = await checkOutEarlier(PREVIOUS_RELEASE);
      expect(previous.newerMigrations).not.toEqual([]);
      const mail = Object.fromEntries(USERS.map((email) => [email, []]));
      stack = await startFaultStack({ apis: 2, apiEnv: ONE_CLIENT_FOR_MANY, mail, isStarted: false });
    });
    afterAll(() => previous.remove());
  },
);
