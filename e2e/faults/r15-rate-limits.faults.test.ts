import { beforeAll, expect, it } from 'vitest';
import { ask } from './harness/ask.ts';
import { machineSlackMs, openRow } from './harness/campaign.ts';
import {
  ADA,
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
  type User,
} from './harness/fault-stack.ts';
import { medianOf } from './harness/steady-load.ts';

const PER_MINUTE = 60;
/** The most that a lost store may add to a request, in milliseconds. */
const ADDED_MS = 50;

const row = openRow('R15');

describeOnEachQueue('R15 over the limit', (queue) => {
  it('requests get 429 with the time to wait, and other users are not delayed', async () => {
    explainFailure(stack);
    const [ada, grace] = [await stack.signIn(), await stack.signIn('grace@example.com')];
    const responses = await askMany(() => ada.ask('/api/v1/me'), PER_MINUTE + 5);
    row.ran(responses.length);
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThanOrEqual(5);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ code: 'too_many_requests', status: 429 });
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60);
    }
    expect(responses.every(({ status }) => status === 200 || status === 429)).toBe(true);
    expect((await grace.ask('/api/v1/me')).status).toBe(200);
    expect((await ask(`${stack.api.url}/api/v1/health`)).status).toBe(200);
  });

  it('programs get 429 apart from the browser of their user, however many tokens they have', async () => {
    explainFailure(stack);
    const email = 'dorothy@example.com';
    const programs = [await stack.signInProgram(email), await stack.signInProgram(email)];
    const browser = await stack.signIn(email);
    let asked = 0;
    const responses = await askMany(() => {
      asked += 1;
      return (programs[asked % 2] as User).ask('/api/v1/me');
    }, PER_MINUTE + 5);
    row.ran(responses.length);
    expect(responses.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(PER_MINUTE);
    expect(responses.at(-1)?.status).toBe(429);
    expect((await browser.ask('/api/v1/me')).status).toBe(200);
  });

  it.runIf(queue === 'redis').each(['cut', 'freeze'] as const)(
    'the store of the limits is lost (%s): served, hardly slower, and still limited',
    async (fault) => {
      explainFailure(stack);
      const user = await stack.signIn(`${fault}@example.com`);
      const sound = await askMany(() => user.ask('/api/v1/me'), 10);
      for (const link of stack.links('redis', stack.apis)) link[fault]();
      try {
        const broken = await askMany(() => user.ask('/api/v1/me'), PER_MINUTE + 5);
        row.ran(broken.length);
        for (const { tookMs } of broken) row.responded(tookMs);
        expect(broken.every(({ status }) => status === 200 || status === 429)).toBe(true);
        expect(broken.at(-1)?.status).toBe(429);
        const timeOf = (responses: typeof broken) => medianOf(responses.map(({ tookMs }) => tookMs));
        expect(timeOf(broken) - timeOf(sound)).toBeLessThan(ADDED_MS + machineSlackMs());
      } finally {
        for (const link of stack.links('redis', stack.apis)) link.heal();
      }
    },
  );

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({
      queue,
      workers: 0,
      apiEnv: { API_RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) },
      mail: Object.fromEntries(
        [ADA, 'grace@example.com', 'dorothy@example.com', 'cut@example.com', 'freeze@example.com'].map(
          (email) => [email, []],
        ),
      ),
    });
  });
});

const askMany = async <T>(send: () => Promise<T>, count: number): Promise<T[]> => {
  const responses: T[] = [];
  while (responses.length < count) responses.push(await send());
  return responses;
};
