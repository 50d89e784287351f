import type { LabelChange } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { act, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE: LabelChange = { added: [], removed: ['INBOX'] };
const ARCHIVED: LabelChange = { added: ['mbx:archive'], removed: ['INBOX'] };

describe('many emails', () => {
  it('are changed in requests as large as the server takes', async () => {
    const maxSizeRequest = 12_000;
    const { mailbox, server } = await setUpMailbox({ limits: { maxSizeRequest } });
    const ids = Array.from({ length: 200 }, (_, index) => {
      const id = `${index}-`.padEnd(200, 'x');
      server.deliver({ id });
      return id;
    });
    const outcomes = await act(mailbox, ids, ARCHIVE);
    expect(outcomes.filter(({ status }) => status !== 'ok')).toEqual([]);
    const sizes = server.requests.map(({ size }) => size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(maxSizeRequest);
    expect(server.methodsCalled().filter(([name]) => name === 'Email/set').length).toBeLessThan(10);
  });
});

describe('a server', () => {
  // A cleanup goes on after an email that failed, and pauses where nothing more can be done.
  it.each([
    ['tooManyMailboxes', 'failed', 1],
    ['tooLarge', 'failed', 1],
    ['overQuota', 'forbidden', 1],
    ['forbidden', 'failed', 2],
    ['unheardOf', 'failed', 2],
  ])('that refuses one email by %s has that email fail as %s', async (type, code, attempts) => {
    const refused: string[] = [];
    const { mailbox, server } = await setUpMailbox({
      refuseChange: (id) => (id === refused[0] ? type : undefined),
    });
    const [one, other] = [server.deliver(), server.deliver()];
    refused.push(one.id);
    expect(await act(mailbox, [one.id, other.id], ARCHIVE)).toMatchObject([
      { status: 'error', error: { code }, isUnsure: false },
      { status: 'ok', change: ARCHIVED },
    ]);
    const sets = server.methodsCalled().filter(([name]) => name === 'Email/set');
    expect(sets).toHaveLength(attempts);
  });

  it('that has made enough changes for now is waited for once, and asked for the rest alone', async () => {
    const left = new Set<string>();
    const { mailbox, server, clock } = await setUpMailbox({
      refuseChange: (id) => (left.delete(id) ? 'rateLimit' : undefined),
    });
    const ids = Array.from({ length: 300 }, () => server.deliver().id);
    for (const id of ids.slice(200)) left.add(id);
    const outcomes = await act(mailbox, ids, ARCHIVE);
    expect(outcomes.filter((outcome) => outcome.status !== 'ok' || !outcome.change?.added[0])).toEqual([]);
    expect(clock.waitsMs).toHaveLength(1);
    const updates = server.requests.flatMap(({ methodCalls = [] }) =>
      methodCalls.flatMap(([name, { update }]) => (name === 'Email/set' ? [Object.keys(update ?? {})] : [])),
    );
    expect(updates.map(({ length }) => length)).toEqual([250, 50, 100]);
    expect(updates.at(-1)).toEqual(ids.slice(200));
    const reads = server.methodsCalled().filter(([name]) => name === 'Email/get');
    expect(reads).toHaveLength(1);
  });

  it('that never makes the rest has it fail for now, with certainty', async () => {
    const refused: string[] = [];
    const { mailbox, server } = await setUpMailbox({
      refuseChange: (id) => (refused.includes(id) ? 'rateLimit' : undefined),
    });
    const [made, open] = [server.deliver(), server.deliver()];
    refused.push(open.id);
    expect(await act(mailbox, [made.id, open.id], ARCHIVE)).toMatchObject([
      { status: 'ok', change: ARCHIVED },
      { status: 'error', error: { code: 'rate_limited' }, isUnsure: false },
    ]);
  });

  it('that has enough for now, but says so of the whole call, is asked again', async () => {
    const { mailbox, server, clock } = await setUpMailbox();
    const email = server.deliver();
    let isFirst = true;
    server.beforeMethod((name) => {
      if (!isFirst || name !== 'Email/set') return undefined;
      isFirst = false;
      return 'rateLimit';
    });
    expect(await act(mailbox, [email.id], ARCHIVE)).toMatchObject([{ status: 'ok', change: ARCHIVED }]);
    expect(clock.waitsMs).toHaveLength(1);
  });
});
