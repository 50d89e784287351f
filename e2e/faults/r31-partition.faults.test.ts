import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import type { Reply } from './harness/ask.ts';
import { byForm, openRow, retriesUnderLoad, seededRandom } from './harness/campaign.ts';
import {
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  type Member,
  type Person,
  startFaultStack,
} from './harness/fault-stack.ts';
import { ONE_CLIENT_FOR_MANY, startSteadyLoad } from './harness/steady-load.ts';

const ROUNDS = byForm(1, 8);
const PARTITION_MS = byForm(10_000, 60_000);
const REQUESTS_PER_SECOND = 10;
/** A user's changes run one at a time, so that one user alone would wait in line for a slow machine. */
const PEOPLE = 8;
const DRAINED_WITHIN_MS = 90_000;

const row = openRow('R31');

describeOnEachQueue('R31 two APIs and three workers', (queue) => {
  it('are torn apart under load, and a worker dies: what was answered is recorded and told of, once', {
    retry: retriesUnderLoad(),
  }, async () => {
    explainFailure(stack);
    const random = seededRandom(`R31 ${queue}`);
    const pick = (members: Member[]): Member =>
      members[Math.floor(random() * members.length)] ?? stack.worker;
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = startSteadyLoad({ requestsPerSecond: REQUESTS_PER_SECOND, send: reject });
      const cutOff = [pick(stack.apis), pick(stack.workers)];
      const doomed = pick(stack.workers.filter((worker) => !cutOff.includes(worker)));
      // Half of the time connections die, half of the time they fall silent.
      const fault = random() < 0.5 ? 'cut' : 'freeze';
      const [api, worker] = cutOff;
      // An API keeps its database: without, it could only refuse. A worker loses everything.
      api?.links.redis[fault]();
      for (const link of Object.values(worker?.links ?? {})) link[fault]();
      row.ran();
      await sleep(PARTITION_MS / 2);
      await doomed.kill();
      await sleep(PARTITION_MS / 2);
      for (const member of cutOff) for (const link of Object.values(member.links)) link.heal();
      await doomed.start();
      const { replies, failures } = await load.stop();
      for (const { tookMs } of replies) row.answered(tookMs);
      expect(failures).toEqual([]);
    }
    await stack.settle(DRAINED_WITHIN_MS);
    for (const { userId } of people) {
      const judged = await stack.judgeConfirmed(userId, answered.get(userId) ?? []);
      row.lost(judged.lostRecords + judged.lostInTimeline);
      row.doubled(judged.doubledRecords + judged.doubledInTimeline);
      expect(judged).toEqual({ lostRecords: 0, doubledRecords: 0, lostInTimeline: 0, doubledInTimeline: 0 });
    }
  });

  /** Ids of the emails that were answered 200, by user. */
  const answered = new Map<string, string[]>();
  let requests = 0;
  const reject = async (): Promise<Reply> => {
    requests += 1;
    const emailId = `mail-${requests}`;
    const of = stack.apis[requests % stack.apis.length] ?? stack.api;
    const person = people[Math.floor(requests / stack.apis.length) % people.length];
    if (person === undefined) throw new Error('nobody is signed in');
    const json = { emailIds: [emailId], action: 'reject' };
    const reply = await person.ask('/api/v1/notifications/confirm', { json, of });
    if (reply.status === 200) answered.set(person.userId, [...(answered.get(person.userId) ?? []), emailId]);
    return reply;
  };

  let stack: FaultStack;
  let people: Person[];
  beforeAll(async () => {
    const emails = Array.from({ length: PEOPLE }, (_, index) => `user-${index}@example.com`);
    const mail = Object.fromEntries(emails.map((email) => [email, []]));
    stack = await startFaultStack({ queue, apis: 2, workers: 3, apiEnv: ONE_CLIENT_FOR_MANY, mail });
    people = [];
    for (const email of emails) people.push(await stack.signIn(email));
  });
});
