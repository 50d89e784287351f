import type { LabelChange } from '@mailsweep/contracts';
import { NO_CHANGE } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE: LabelChange = { added: [], removed: ['INBOX'] };
const MAY_ARRIVE_MS = 120_000;

describe('what became of a change', () => {
  it('that does not show is unsure for two minutes', async () => {
    const { mailbox, server } = await setUpMailbox();
    const requests = [{ id: server.deliver().id, ...ARCHIVE, before: ['INBOX', 'UNREAD'] }];
    expect(await mailbox.findChanges(requests, '1', MAY_ARRIVE_MS - 1)).toMatchObject([{ isUnsure: true }]);
    expect(await mailbox.findChanges(requests, '1', MAY_ARRIVE_MS)).toMatchObject([{ isUnsure: false }]);
  });

  it('is the part of it that shows, where the labels before are known', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver({ keywords: new Set(['$seen']) });
    const change = { added: ['STARRED', 'UNREAD'], removed: ['INBOX'] };
    const known = { id: email.id, ...change, before: ['INBOX', 'UNREAD'] };
    server.change(email.id, { 'keywords/$flagged': true });
    const [found] = await mailbox.findChanges([known], '1', MAY_ARRIVE_MS);
    expect(found).toEqual({
      id: email.id,
      status: 'ok',
      change: { added: ['STARRED'], removed: [] },
      historyId: server.state(),
    });
  });

  it('without the labels before is all of it or nothing', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    const change = { added: ['STARRED'], removed: ['INBOX'] };
    const find = () => mailbox.findChanges([{ id: email.id, ...change }], '1', MAY_ARRIVE_MS);
    server.change(email.id, { 'keywords/$flagged': true });
    expect(await find()).toMatchObject([{ status: 'error', error: { code: 'failed' }, isUnsure: false }]);
    server.change(email.id, { 'mailboxIds/inbox': null, 'mailboxIds/archive': true });
    expect(await find()).toMatchObject([{ status: 'ok', change }]);
  });

  it('is nothing where there was nothing to do, or nothing was asked for', async () => {
    const { mailbox, server } = await setUpMailbox();
    const [archived, other] = [server.deliver({ mailboxIds: new Set(['archive']) }), server.deliver()];
    const requests = [
      { id: other.id, ...NO_CHANGE },
      { id: archived.id, ...ARCHIVE, before: ['mbx:archive', 'UNREAD'] },
    ];
    expect(await mailbox.findChanges(requests, '1')).toMatchObject([
      { id: other.id, status: 'ok', change: NO_CHANGE },
      { id: archived.id, status: 'ok', change: NO_CHANGE },
    ]);
    const reads = server.requests.flatMap(({ methodCalls = [] }) =>
      methodCalls.flatMap(([name, { ids }]) => (name === 'Email/get' ? [ids] : [])),
    );
    expect(reads).toEqual([[archived.id]]);
  });

  it('of a label whose mailbox is gone is what else shows', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver({ mailboxIds: new Set(['archive']) });
    const request = { id: email.id, added: ['mbx:gone'], removed: ['INBOX'], before: ['INBOX', 'UNREAD'] };
    expect(await mailbox.findChanges([request], '1')).toMatchObject([{ status: 'ok', change: ARCHIVE }]);
  });

  it.each([
    ['emails', { status: 403 }, 'forbidden'],
    ['session', { status: 403 }, 'forbidden'],
    ['session', { status: 401 }, 'reauth_required'],
    ['session', { status: 500 }, 'mailbox_unavailable'],
    ['session', 'lost', 'mailbox_unavailable'],
  ] as const)('is unsure while the %s can’t be read: %j', async (part, response, code) => {
    const { mailbox, server } = await setUpMailbox();
    const { id } = server.deliver();
    if (part === 'emails') await mailbox.readBaseline([]);
    server.intercept(() => response);
    expect(await mailbox.findChanges([{ id, ...ARCHIVE }], '1', MAY_ARRIVE_MS)).toMatchObject([
      { id, status: 'error', error: { code }, isUnsure: true },
    ]);
  });
});

describe('a check of earlier changes', () => {
  it('tells which still show, and which emails are gone', async () => {
    const { mailbox, server } = await setUpMailbox();
    const [kept, moved, gone] = [
      server.deliver({ mailboxIds: new Set(['archive']) }),
      server.deliver(),
      server.deliver(),
    ];
    server.remove(gone.id);
    const { historyId, statuses } = await mailbox.checkChanges(
      [gone, moved, kept].map(({ id }) => ({ id, change: ARCHIVE })),
    );
    expect(historyId).toBe(server.state());
    expect(statuses).toEqual([
      { id: gone.id, error: expect.objectContaining({ code: 'not_found' }) },
      { id: moved.id, isReversible: false, labels: ['INBOX', 'UNREAD'] },
      { id: kept.id, isReversible: true, labels: ['mbx:archive', 'UNREAD'] },
    ]);
  });
});
