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

describe('a request with several calls', () => {
  const LIMITS = { maxObjectsInSet: 10, maxCallsInRequest: 4 };

  it.each([1, 5])(
    'of which each refuses %i emails has the others recorded and undone, each exactly',
    async (count) => {
      const refused = new Set<string>();
      const { mailbox, server } = await setUpMailbox({
        limits: LIMITS,
        refuseChange: (id) => (refused.has(id) ? 'unheardOf' : undefined),
      });
      const emails = Array.from({ length: 35 }, () => server.deliver());
      const ids = emails.map(({ id }) => id);
      for (const [index, id] of ids.entries()) if (index % 10 < count) refused.add(id);
      const outcomes = await act(mailbox, ids, ARCHIVE);
      expect(outcomes).toMatchObject(
        ids.map((id) =>
          refused.has(id) ? { status: 'error', isUnsure: false } : { status: 'ok', change: ARCHIVED },
        ),
      );
      for (const id of ids.filter((one) => !refused.has(one))) {
        await act(mailbox, [id], { added: ['INBOX'], removed: ['mbx:archive'] });
      }
      expect(emails.map(({ mailboxIds }) => [...mailboxIds])).toEqual(ids.map(() => ['inbox']));
    },
  );

  it.each([
    ['cannot be read', (args: object) => ({ ...args, newState: undefined })],
    ['does not name what was changed', (args: object) => ({ ...args, updated: null })],
  ])('of which the response to one %s has that one alone read again', async (_, mangle) => {
    const { mailbox, server } = await setUpMailbox({ limits: LIMITS });
    const emails = Array.from({ length: 20 }, () => server.deliver());
    const [undone, returned] = [emails[5], emails[15]];
    server.afterMethods((responses) => {
      if (responses[0]?.[0] !== 'Email/set') return responses;
      server.afterMethods((later) => later);
      for (const one of [undone, returned])
        server.change(one?.id ?? '', { 'mailboxIds/archive': null, 'mailboxIds/inbox': true });
      return responses.map(([name, args, id], index) => [name, index === 0 ? mangle(args) : args, id]);
    });
    const ids = emails.map(({ id }) => id);
    expect(await act(mailbox, ids, ARCHIVE)).toMatchObject(
      ids.map((id) => ({ id, status: 'ok', change: ARCHIVED })),
    );
    // The other one is known to be archived, so it was put back later by somebody else.
    expect([undone, returned].map((one) => [...(one?.mailboxIds ?? [])])).toEqual([['archive'], ['inbox']]);
  });

  it('is cut into smaller ones where the server takes fewer emails in a call, which is remembered', async () => {
    const { mailbox, server } = await setUpMailbox({ limits: LIMITS, mostChanged: 3 });
    const change = async () => {
      const before = server.methodsCalled().length;
      const ids = Array.from({ length: 12 }, () => server.deliver().id);
      const outcomes = await act(mailbox, ids, ARCHIVE);
      expect(outcomes).toMatchObject(ids.map((id) => ({ id, status: 'ok', change: ARCHIVED })));
      const methods = server.methodsCalled().slice(before);
      return [
        methods.filter(([name]) => name === 'Email/set'),
        methods.filter(([name]) => name === 'Email/get'),
      ];
    };
    expect((await change()).map(({ length }) => length)).toEqual([4, 3]);
    expect((await change()).map(({ length }) => length)).toEqual([2, 1]);
  });

  it('fails where the server finds a single email too large, and is not sent again', async () => {
    const { mailbox, server } = await setUpMailbox({ mostChanged: 0 });
    const { id } = server.deliver();
    expect(await act(mailbox, [id], ARCHIVE)).toMatchObject([
      { status: 'error', error: { code: 'failed' }, isUnsure: false },
    ]);
    expect(server.methodsCalled().filter(([name]) => name === 'Email/set')).toHaveLength(1);
  });
});

describe('a server', () => {
  // A cleanup goes on after an email that failed, and pauses where nothing more can be done.
  it.each([
    ['tooManyMailboxes', 'too_many_mailboxes', 1],
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
