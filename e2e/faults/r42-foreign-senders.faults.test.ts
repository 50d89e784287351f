import { beforeAll, describe, expect, it } from 'vitest';
import { openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { type Mail, mails } from './harness/google.ts';

const GRACE = 'grace@example.com';
const SENDERS = Array.from({ length: 12 }, (_, index) => `Shop ${index} <news@shop-${index}.example>`);
const UNKNOWN_SENDER = '0'.repeat(64);

const row = openRow('R42');

describe('R42 two users with emails from the same senders', () => {
  it('have no sender id in common', async () => {
    explainFailure(stack);
    const [ofAda, ofGrace] = [await listSenderIds(ada), await listSenderIds(grace)];
    row.ran();
    expect([ofAda.length, ofGrace.length]).toEqual([SENDERS.length, SENDERS.length]);
    expect(ofAda.filter((id) => ofGrace.includes(id))).toEqual([]);
    const stored = await stack.query<{ users: number }>(
      'SELECT count(DISTINCT "userId")::int AS "users" FROM "CachedMessage" GROUP BY "senderKey"',
    );
    expect(stored).toHaveLength(2 * SENDERS.length);
    expect(stored.every(({ users }) => users === 1)).toBe(true);
  });

  it('get for a sender id of the other what an unknown id gets', async () => {
    explainFailure(stack);
    for (const [owner, other] of [
      [ada, grace],
      [grace, ada],
    ] as const) {
      for (const id of await listSenderIds(owner)) {
        expect((await owner.ask(`/api/v1/senders/${id}/emails`)).body.total).toBe(1);
        for (const toPath of [
          (sender: string) => `/api/v1/senders/${sender}/emails`,
          (sender: string) => `/api/v1/suggestions/stored?sender=${sender}`,
        ]) {
          const [foreign, unknown] = [await other.ask(toPath(id)), await other.ask(toPath(UNKNOWN_SENDER))];
          row.ran();
          expect([foreign.status, foreign.text]).toEqual([200, unknown.text]);
          expect(foreign.body).toMatchObject({ total: 0, data: [] });
        }
      }
    }
  });

  const listSenderIds = async (user: User): Promise<string[]> =>
    (await user.ask('/api/v1/senders?perPage=100')).body.data.map(({ id }: { id: string }) => id);

  let stack: FaultStack;
  let ada: User;
  let grace: User;
  beforeAll(async () => {
    stack = await startFaultStack({
      workers: 0,
      mail: { [ADA]: mailOf('ada'), [GRACE]: mailOf('grace') },
    });
    [ada, grace] = [await stack.signIn(), await stack.signIn(GRACE)];
    // Reading the mailboxes fills the cache that senders are listed from.
    for (const user of [ada, grace]) await user.ask('/api/v1/suggestions?pageSize=100');
  });
});

/** One mail from each sender. */
const mailOf = (name: string): Mail[] =>
  mails(SENDERS.length, name).map((mail, index) => ({ ...mail, from: SENDERS[index] ?? '' }));
