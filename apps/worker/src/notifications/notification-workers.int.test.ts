import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type NotificationBench, openNotificationBench } from '../testing/notification-bench.ts';

let bench: NotificationBench;
beforeEach(async () => {
  bench = await openNotificationBench();
  await bench.change({ alert: { push: true } });
});
afterEach(() => bench.close());

const shownIn = (browser: string) => bench.pushService.shown(browser).map(({ detail }) => detail);
const readStates = async () => (await bench.readNotifications()).map(({ state }) => state);
const expireLeases = () =>
  bench.query(
    `UPDATE "Notification" SET "leasedUntil" = now() - interval '1 hour' WHERE "leasedUntil" IS NOT NULL`,
  );

describe('many workers', () => {
  test('send each notification once, and bundle those of a user', async () => {
    await bench.subscribe('laptop');
    await bench.alert(...Array.from({ length: 5 }, (_, index) => `Bill ${index}`));
    const claims = await Promise.all(Array.from({ length: 8 }, () => bench.claim()));
    const [work, ...others] = claims.filter((claim) => claim !== null);
    expect(others).toEqual([]);
    expect(work && (await bench.openProcess().deliver(work))).toMatchObject([{ outcome: 'sent', count: 5 }]);
    expect(bench.pushService.received).toHaveLength(1);
  });

  test('tell the same again when one of them dies, with what came meanwhile apart from it', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Bill 1', 'Bill 2', 'Bill 3', 'Bill 4');
    const work = await bench.claimDue();
    const [seen] = await bench.readNotifications();
    // It has sent the message, and can't note that any more.
    bench.pushService.onMessage(async (response) => {
      await bench.query(`UPDATE "Notification" SET "leaseId" = gen_random_uuid()`);
      response.writeHead(201).end();
    });
    expect(await bench.openProcess().deliver(work)).toMatchObject([{ outcome: 'taken_over', count: 4 }]);
    expect(bench.pushService.received).toHaveLength(1);
    expect(new Set(await readStates())).toEqual(new Set(['pending']));

    bench.pushService.onMessage((response) => response.writeHead(201).end());
    await bench.alert('Bill 5');
    await expireLeases();
    await bench.send();
    const shown = bench.pushService.shown('laptop');
    expect(shown.map(({ detail }) => detail)).toMatchObject([
      { content: { count: 4 } },
      { content: { count: 1 } },
    ]);
    expect(shown[0]?.tag).toBe(seen?.id);
    expect(bench.pushService.received).toHaveLength(3);
  });

  test('send a message once, though the messages before it outlast the lease', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Bill 1', 'Bill 2', 'Bill 3');
    const leftAt: number[] = [];
    bench.pushService.onMessage(async (response) => {
      const [, , last] = await bench.readNotifications();
      leftAt.push((last?.leasedUntil?.getTime() ?? 0) - Date.now());
      // As if the message before it had taken most of the lease.
      await bench.query(
        `UPDATE "Notification" SET "leasedUntil" = now() + interval '5 s' WHERE "state" = 'pending'`,
      );
      expect(await bench.claim()).toBeNull();
      response.writeHead(201).end();
    });
    await bench.openProcess().deliver(await bench.claimDue());
    expect(await readStates()).toEqual(['sent', 'sent', 'sent']);
    expect(leftAt).toHaveLength(3);
    expect(Math.min(...leftAt)).toBeGreaterThan(10_000);
  });

  test('leave the rest to the one that took over', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Bill 1', 'Bill 2', 'Bill 3');
    const other = bench.openProcess();
    bench.pushService.onMessage(async (response) => {
      bench.pushService.onMessage((next) => next.writeHead(201).end());
      await expireLeases();
      await other.deliver(await bench.claimDue());
      response.writeHead(201).end();
    });
    expect(await bench.openProcess().deliver(await bench.claimDue())).toMatchObject([
      { outcome: 'taken_over' },
      { outcome: 'taken_over' },
      { outcome: 'taken_over' },
    ]);
    expect(await readStates()).toEqual(['sent', 'sent', 'sent']);
    // The one in flight was sent by both, and the browser shows it once.
    expect(bench.pushService.received).toHaveLength(4);
    expect(shownIn('laptop')).toHaveLength(3);
  });

  test('send nothing to a user who was erased meanwhile', async () => {
    await bench.subscribe('laptop');
    await bench.change({ alert: { webhook: true } });
    await bench.alert('Bill 1', 'Bill 2');
    const work = await bench.claimDue();
    bench.pushService.onMessage(async (response) => {
      await bench.database.user.delete({ where: { id: bench.userId } });
      response.writeHead(201).end();
    });
    await bench.openProcess().deliver(work);
    await bench.openProcess().deliver(work);
    expect(bench.pushService.received).toHaveLength(1);
    expect(bench.calls).toHaveLength(1);
  });

  test('leave what is not sent to others when they stop', async () => {
    await bench.subscribe('laptop');
    await bench.alert('Your bill');
    const { deliver, stopping } = bench.openProcess();
    stopping.abort();
    await deliver(await bench.claimDue());
    expect(bench.pushService.received).toEqual([]);
    await bench.send();
    expect(shownIn('laptop')).toHaveLength(1);
  });
});
