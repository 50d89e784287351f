import type { LabelChange } from '@mailsweep/contracts';
import { NO_CHANGE } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { act, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE: LabelChange = { added: [], removed: ['INBOX'] };
const ARCHIVED: LabelChange = { added: ['mbx:archive'], removed: ['INBOX'] };

const once = (work: () => void) => {
  let isDone = false;
  return () => {
    if (!isDone) {
      isDone = true;
      work();
    }
  };
};

describe('many emails', () => {
  it('are changed in few requests, each call in the state in which the one before left them', async () => {
    const { mailbox, server } = await setUpMailbox();
    const ids = Array.from({ length: 1_100 }, () => server.deliver().id);
    const outcomes = await act(mailbox, ids, ARCHIVE);
    expect(outcomes.every((outcome) => outcome.status === 'ok' && outcome.change?.added[0])).toBe(true);
    const sets = server.methodsCalled().filter(([name]) => name === 'Email/set');
    expect(sets.map((calls) => calls.length)).toEqual([4, 1]);
  });
});

describe('another client', () => {
  it('that changes another email meanwhile only costs an attempt', async () => {
    const { mailbox, server } = await setUpMailbox();
    const [own, other] = [server.deliver(), server.deliver()];
    const change = once(() => server.change(other.id, { 'keywords/$flagged': true }));
    server.beforeMethod((name) => void (name === 'Email/set' && change()));
    expect(await act(mailbox, [own.id], ARCHIVE)).toMatchObject([{ status: 'ok', change: ARCHIVED }]);
  });

  it('that does the same first keeps its change', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    const change = once(() =>
      server.change(email.id, { 'mailboxIds/inbox': null, 'mailboxIds/archive': true }),
    );
    server.beforeMethod((name) => void (name === 'Email/set' && change()));
    expect(await act(mailbox, [email.id], ARCHIVE)).toMatchObject([{ status: 'ok', change: NO_CHANGE }]);
  });

  it('that takes the email out of its other mailbox does not have it destroyed', async () => {
    const { mailbox, server } = await setUpMailbox({ destroysOrphans: true });
    const { id: label } = server.addMailbox({ name: 'Bills' });
    const email = server.deliver({ mailboxIds: new Set(['inbox', label]) });
    const change = once(() => server.change(email.id, { [`mailboxIds/${label}`]: null }));
    server.beforeMethod((name) => void (name === 'Email/set' && change()));
    expect(await act(mailbox, [email.id], ARCHIVE)).toMatchObject([{ status: 'ok', change: ARCHIVED }]);
    expect(server.emails.get(email.id)?.mailboxIds).toEqual(new Set(['archive']));
  });

  it('that moves an email meanwhile has it stay there, also where it would come back to the inbox', async () => {
    const { mailbox, server } = await setUpMailbox();
    const { id: label } = server.addMailbox({ name: 'Bills' });
    const [deleted, restored] = [server.deliver(), server.deliver({ mailboxIds: new Set(['archive']) })];
    const move = once(() => {
      server.change(deleted.id, { 'mailboxIds/inbox': null, [`mailboxIds/${label}`]: true });
      server.change(restored.id, { 'mailboxIds/archive': null, [`mailboxIds/${label}`]: true });
    });
    server.beforeMethod((name) => void (name === 'Email/set' && move()));
    const { historyId, labels } = await mailbox.readBaseline([deleted.id, restored.id]);
    const toRequest = (id: string, change: LabelChange) => ({ id, ...change, before: labels.get(id) });
    const outcomes = await mailbox.changeLabels(
      [
        toRequest(deleted.id, { added: ['TRASH'], removed: ['INBOX'] }),
        toRequest(restored.id, { added: ['INBOX'], removed: ['mbx:archive'] }),
      ],
      historyId,
    );
    const left = { status: 'error', error: { code: 'changed_since' }, isUnsure: false };
    expect(outcomes).toMatchObject([left, left]);
    expect([deleted.mailboxIds, restored.mailboxIds]).toEqual([new Set([label]), new Set([label])]);
  });

  it('that hardly rests has few emails at a time changed', async () => {
    const { mailbox, server } = await setUpMailbox();
    const ids = Array.from({ length: 60 }, () => server.deliver().id);
    const busy = server.deliver();
    let count = 0;
    server.beforeMethod((name, { update }) => {
      if (name !== 'Email/set' || Object.keys(update as object).length <= 25) return undefined;
      count += 1;
      server.change(busy.id, { 'keywords/$flagged': count % 2 === 0 ? null : true });
      return undefined;
    });
    const outcomes = await act(mailbox, ids, ARCHIVE);
    expect(outcomes).toMatchObject(ids.map((id) => ({ id, status: 'ok', change: ARCHIVED })));
  });

  it('that never rests keeps changes from being made: none is made without its state', async () => {
    const { mailbox, server } = await setUpMailbox();
    const { id: label } = server.addMailbox({ name: 'Bills' });
    const [safe, unsafe, busy] = [
      server.deliver(),
      server.deliver({ mailboxIds: new Set(['inbox', label]) }),
      server.deliver(),
    ];
    let count = 0;
    server.beforeMethod((name) => {
      if (name !== 'Email/set') return undefined;
      count += 1;
      server.change(busy.id, { 'keywords/$flagged': count % 2 === 0 ? null : true });
      return undefined;
    });
    const outcomes = await act(mailbox, [safe.id, unsafe.id], ARCHIVE);
    const refused = { status: 'error', error: { code: 'mailbox_unavailable' }, isUnsure: false };
    expect(outcomes).toMatchObject([refused, refused]);
    expect([safe.mailboxIds, unsafe.mailboxIds]).toEqual([new Set(['inbox']), new Set(['inbox', label])]);
  });
});

describe('a response that does not come', () => {
  it('is made up for by reading what has become of the emails, and the change is recorded once', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    let isLost = false;
    server.intercept(({ methodCalls }) => {
      if (isLost || methodCalls?.[0]?.[0] !== 'Email/set') return undefined;
      isLost = true;
      return 'lost';
    });
    expect(await act(mailbox, [email.id], ARCHIVE)).toMatchObject([{ status: 'ok', change: ARCHIVED }]);
    expect(server.methodsCalled().filter(([name]) => name === 'Email/set')).toHaveLength(1);
  });

  it('to a request that did not arrive has it sent again', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    let isFirst = true;
    server.intercept(({ methodCalls }) => {
      if (!isFirst || methodCalls?.[0]?.[0] !== 'Email/set') return undefined;
      isFirst = false;
      return { status: 502 };
    });
    expect(await act(mailbox, [email.id], ARCHIVE)).toMatchObject([{ status: 'ok', change: ARCHIVED }]);
    expect(email.mailboxIds).toEqual(new Set(['archive']));
  });

  it('leaves the change in doubt where the server stays away, and it is found later', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    const { historyId, labels } = await mailbox.readBaseline([email.id]);
    const requests = [{ id: email.id, ...ARCHIVE, before: labels.get(email.id) }];
    let isDown = false;
    server.intercept(({ methodCalls }) => {
      if (isDown) return { status: 503 };
      isDown = methodCalls?.[0]?.[0] === 'Email/set';
      return isDown ? 'lost' : undefined;
    });
    const outcomes = await mailbox.changeLabels(requests, historyId);
    expect(outcomes).toMatchObject([
      { status: 'error', error: { code: 'mailbox_unavailable' }, isUnsure: true },
    ]);
    server.intercept(() => undefined);
    expect(await mailbox.findChanges(requests, historyId)).toMatchObject([
      { status: 'ok', change: ARCHIVED },
    ]);
  });
});

describe('a server', () => {
  it('that does a part and fails is asked for the rest, and all is recorded', async () => {
    const { mailbox, server } = await setUpMailbox();
    const emails = [server.deliver(), server.deliver()];
    let isFirst = true;
    server.beforeMethod((name) => {
      if (!isFirst || name !== 'Email/set') return undefined;
      isFirst = false;
      server.change(emails[0]?.id ?? '', { 'mailboxIds/inbox': null, 'mailboxIds/archive': true });
      return 'serverPartialFail';
    });
    const outcomes = await act(
      mailbox,
      emails.map(({ id }) => id),
      ARCHIVE,
    );
    expect(outcomes).toMatchObject([{ change: ARCHIVED }, { change: ARCHIVED }]);
  });

  it('that is not available for a moment is asked again', async () => {
    const { mailbox, server, clock } = await setUpMailbox();
    const email = server.deliver();
    let isFirst = true;
    server.beforeMethod((name) => {
      if (!isFirst || name !== 'Email/set') return undefined;
      isFirst = false;
      return 'serverUnavailable';
    });
    expect(await act(mailbox, [email.id], ARCHIVE)).toMatchObject([{ status: 'ok', change: ARCHIVED }]);
    expect(clock.waitsMs).toHaveLength(1);
  });

  it('that refuses the change of one email says so of that email alone', async () => {
    const { mailbox, server } = await setUpMailbox({ maxMailboxesPerEmail: 1 });
    const { id: label } = server.addMailbox({ name: 'Bills' });
    const [kept, moved] = [server.deliver(), server.deliver()];
    const { historyId } = await mailbox.readBaseline([]);
    const outcomes = await mailbox.changeLabels(
      [
        { id: kept.id, added: [`mbx:${label}`], removed: [] },
        { id: moved.id, added: [`mbx:${label}`], removed: ['INBOX'] },
      ],
      historyId,
    );
    expect(outcomes).toMatchObject([
      { status: 'error', error: { code: 'too_many_mailboxes' }, isUnsure: false },
      { status: 'ok', change: { added: [`mbx:${label}`], removed: ['INBOX'] } },
    ]);
  });

  it('that refuses a change that another client was faster with is asked once more', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    let isFirst = true;
    server.intercept(({ methodCalls }) => {
      if (!isFirst || methodCalls?.[0]?.[0] !== 'Email/set') return undefined;
      isFirst = false;
      const result = { newState: server.state(), notUpdated: { [email.id]: { type: 'forbidden' } } };
      return { status: 200, body: { methodResponses: [['Email/set', result, '0']] } };
    });
    expect(await act(mailbox, [email.id], ARCHIVE)).toMatchObject([{ status: 'ok', change: ARCHIVED }]);
  });

  it.each(['accountReadOnly', 'forbidden'])('that responds with %s is not asked again', async (type) => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    server.beforeMethod((name) => (name === 'Email/set' ? type : undefined));
    expect(await act(mailbox, [email.id], ARCHIVE)).toMatchObject([
      { status: 'error', error: { code: 'forbidden' }, isUnsure: false },
    ]);
    expect(server.methodsCalled().filter(([name]) => name === 'Email/set')).toHaveLength(1);
  });
});

describe('a change that is looked for later', () => {
  it('may still be made as long as its request may arrive', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    const requests = [{ id: email.id, ...ARCHIVE, before: ['INBOX', 'UNREAD'] }];
    const find = (ageMs: number) => mailbox.findChanges(requests, '1', ageMs);
    expect(await find(1_000)).toMatchObject([{ status: 'error', isUnsure: true }]);
    expect(await find(121_000)).toMatchObject([
      { status: 'error', error: { code: 'failed' }, isUnsure: false },
    ]);
  });

  it('is recorded as far as it shows, also where the server has forgotten what happened', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    server.change(email.id, { 'mailboxIds/inbox': null, 'mailboxIds/junk': true });
    server.expireChanges();
    const requests = [{ id: email.id, ...ARCHIVE, before: ['INBOX', 'UNREAD'] }];
    expect(await mailbox.findChanges(requests, '1')).toMatchObject([{ status: 'ok', change: ARCHIVE }]);
  });

  it('of an email that is gone was not made', async () => {
    const { mailbox } = await setUpMailbox();
    expect(await mailbox.findChanges([{ id: 'gone', ...ARCHIVE }], '1')).toMatchObject([
      { status: 'error', error: { code: 'not_found' }, isUnsure: false },
    ]);
  });
});
