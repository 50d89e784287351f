import { MailboxError } from '@mailsweep/mail/mailbox';
import { afterEach, describe, expect, test } from 'vitest';
import { openWatchBench, type WatchBench } from '../testing/watch-bench.ts';
import { readContent } from './record-notifications.ts';

let bench: WatchBench;
/** A watch whose first run has noted where the mailbox stands. */
const open = async () => {
  bench = await openWatchBench();
  await bench.change({ enabled: true });
  await bench.run();
};
afterEach(() => bench.close());

const readNotifications = () => bench.database.notification.findMany({ orderBy: { id: 'asc' } });

describe('alerts of the watch', () => {
  test('are recorded for new email that is worth one, and wait for the end of quiet hours', async () => {
    await open();
    await bench.changeNotifications({
      alert: { push: true, minConfidence: 0.8 },
      quietHours: { from: '00:00', to: '23:00' },
    });
    await bench.deliverAll(['Sale', 'Bill of May', 'Maybe a bill', 'Keep this']);
    await bench.run();

    const [alert, ...others] = await readNotifications();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({ kind: 'alert', state: 'pending', isHeld: true });
    expect(alert?.dueAt.toISOString()).toBe('2026-06-15T23:00:00.000Z');
    expect(alert && readContent(bench.notificationCipher, { ...alert, kind: 'alert' })).toMatchObject({
      subject: 'Bill of May',
    });
  });

  test('are not recorded for users who want none', async () => {
    await open();
    await bench.deliver('Bill of May');
    expect(await bench.run()).toMatchObject({ newEmails: 1, suggested: 1 });
    expect(await readNotifications()).toEqual([]);
  });

  test('are not recorded by a run that another process took over', async () => {
    await open();
    await bench.changeNotifications({ alert: { push: true } });
    await bench.deliver('Bill of May');
    const slow = await bench.claim();
    await bench.query(`UPDATE "MailboxWatch" SET "leasedUntil" = now() - interval '1 s'`);
    await bench.run();
    expect(await bench.runWatch(slow)).toMatchObject({ outcome: 'ended' });
    expect(await readNotifications()).toHaveLength(1);
  });
});

describe('an ended connection', () => {
  const end = () =>
    bench.query(`UPDATE "ProviderConnection" SET "reauthRequiredAt" = now(), "updatedAt" = now()`);

  test('is told once, until another one ends', async () => {
    await open();
    await bench.changeNotifications({ attention: { push: true } });
    bench.onRequest(() => Promise.reject(new MailboxError('reauth_required', 'ended')));
    await bench.connect();
    await end();
    await bench.run();
    await bench.change({ enabled: false });
    await bench.change({ enabled: true });
    await bench.run();
    expect(await readNotifications()).toMatchObject([{ kind: 'attention', state: 'pending' }]);

    await bench.connect();
    await end();
    await bench.change({ enabled: false });
    await bench.change({ enabled: true });
    await bench.run();
    expect(await readNotifications()).toHaveLength(2);
  });

  test('is not told to users who do not want that', async () => {
    await open();
    await bench.connect();
    await end();
    bench.onRequest(() => Promise.reject(new MailboxError('reauth_required', 'ended')));
    await bench.run();
    expect(await readNotifications()).toEqual([]);
  });
});
