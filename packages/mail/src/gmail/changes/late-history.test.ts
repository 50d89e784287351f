import type { LabelChangeOutcome, Mailbox } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { inboxMessages, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE = { added: [], removed: ['INBOX'] };
const TRASH = { added: ['TRASH'], removed: ['INBOX'] };
const NOTHING = { added: [], removed: [] };
const idsOf = (count: number) => inboxMessages(count).map(({ id }) => id);
const toChanges = (outcomes: LabelChangeOutcome[]) =>
  outcomes.map((outcome) => (outcome.status === 'ok' ? outcome.change : outcome.error.code));
/** What was left open, as it is asked for later. */
const findLater = (mailbox: Mailbox, ids: string[], historyId: string, wanted = ARCHIVE) =>
  mailbox.findChanges(
    ids.map((id) => ({ id, ...wanted, isDone: true })),
    historyId,
  );

/** Of as many as one call may change, the core's message-cache.int.test.ts tells the price. */
const MANY = 300;

const LATE = [
  ['whose id waits for its records', false],
  ['whose id runs ahead of its records', true],
] as const;

describe.each(LATE)('a history that is late, %s', (_, historyIdLeadsRecords) => {
  const setUp = (historyDelayMs: number, messages = inboxMessages(MANY)) =>
    setUpMailbox({
      messages,
      behaviour: { historyDelayMs, historyIdLeadsRecords, importanceFollowsChanges: true },
    });

  it('is waited for, at no more than twice the units', async () => {
    const { mailbox, gmail } = await setUp(1_500, inboxMessages(1_000));
    const outcomes = await mailbox.changeLabels(
      idsOf(1_000).map((id) => ({ id, ...TRASH, before: ['INBOX'] })),
      undefined,
    );
    expect(toChanges(outcomes)).toEqual(idsOf(1_000).map(() => TRASH));
    expect(gmail.units()).toBeLessThanOrEqual(2 * 60);
  });

  it('is waited for where nothing was known of the messages', async () => {
    const { mailbox, gmail } = await setUp(1_500);
    const outcomes = await mailbox.changeLabels(
      idsOf(MANY).map((id) => ({ id, ...ARCHIVE })),
      undefined,
    );
    expect(toChanges(outcomes)).toEqual(idsOf(MANY).map(() => ARCHIVE));
    expect(gmail.units()).toBeLessThanOrEqual(2 * 60);
  });

  it('is waited for until it has reached the last of the messages', async () => {
    const { mailbox, gmail, clock } = await setUp(1_500, inboxMessages(10));
    gmail.intercept(({ path }) => {
      if (path.endsWith('/modify')) clock.advance(250);
      return undefined;
    });
    const outcomes = await mailbox.changeLabels(
      idsOf(10).map((id) => ({ id, ...ARCHIVE })),
      undefined,
    );
    expect(toChanges(outcomes)).toEqual(idsOf(10).map(() => ARCHIVE));
  });

  it('is replaced by the labels before when it takes too long', async () => {
    const { mailbox, gmail } = await setUp(60_000);
    const changes = idsOf(MANY).map((id) => ({ id, ...TRASH, before: id === 'm7' ? ['TRASH'] : ['INBOX'] }));
    const outcomes = await mailbox.changeLabels(changes, undefined);
    expect(toChanges(outcomes)).toEqual(idsOf(MANY).map((id) => (id === 'm7' ? NOTHING : TRASH)));
    expect(gmail.units()).toBeLessThanOrEqual(2 * 60);
  });

  it('leaves open what a change took when nothing was known of the messages, and tells it later', async () => {
    const { mailbox, gmail, clock } = await setUp(60_000);
    const { historyId } = await mailbox.readBaseline([]);
    const outcomes = await mailbox.changeLabels(
      idsOf(MANY).map((id) => ({ id, ...ARCHIVE })),
      historyId,
    );
    expect(outcomes).toEqual(idsOf(MANY).map((id) => ({ id, status: 'ok' })));
    expect(gmail.units()).toBeLessThanOrEqual(2 * 60);
    expect(await findLater(mailbox, idsOf(20), historyId)).toEqual(outcomes.slice(0, 20));
    clock.advance(60_000);
    expect(toChanges(await findLater(mailbox, idsOf(MANY), historyId))).toEqual(
      idsOf(MANY).map(() => ARCHIVE),
    );
  });

  it('leaves open what a single change took, but not whether the message exists or was as wanted', async () => {
    const { mailbox } = await setUp(60_000, [{ id: 'archived', labels: [] }, ...inboxMessages(1)]);
    const outcomes = await mailbox.changeLabels(
      ['archived', 'nowhere', 'm0'].map((id) => ({ id, ...ARCHIVE })),
      undefined,
    );
    expect(outcomes).toMatchObject([
      { id: 'archived', change: NOTHING },
      { id: 'nowhere', error: { code: 'not_found' } },
      { id: 'm0', status: 'ok' },
    ]);
    expect(outcomes[2]).not.toHaveProperty('change');
  });

  it('does not show an earlier change of ours in place of the next, though another client was there in between', async () => {
    const { mailbox, gmail } = await setUp(1_500, inboxMessages(1));
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('m0', { added: ['TRASH'], removed: ['INBOX'] });
    await gmail.change('m0', { added: ['STARRED'] });
    const again = { id: 'm0', ...TRASH, before: ['TRASH'], isAhead: true };
    expect(toChanges(await mailbox.changeLabels([again], historyId))).toEqual([NOTHING]);
  });

  it('does not make an earlier change of ours look like one whose response got lost', async () => {
    const { mailbox, gmail, clock } = await setUp(1_500, inboxMessages(1));
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('m0', { added: ['TRASH'], removed: ['INBOX'] });
    clock.advance(1_500);
    const again = { id: 'm0', ...TRASH, before: ['TRASH'], isAhead: true };
    expect(toChanges(await mailbox.findChanges([again], historyId))).toEqual([NOTHING]);
  });

  it('does not make a change whose response got lost look unmade', async () => {
    const { mailbox, gmail, clock } = await setUp(60_000, inboxMessages(2));
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('m0', { removed: ['INBOX'] });
    const changes = ['m1', 'm0'].map((id) => ({ id, ...ARCHIVE, before: ['INBOX'] }));
    expect(await mailbox.findChanges(changes, historyId)).toMatchObject([
      { status: 'error', isUnsure: false },
      { status: 'error', isUnsure: true },
    ]);
    clock.advance(60_000);
    expect(toChanges(await mailbox.findChanges(changes, historyId))).toEqual(['failed', ARCHIVE]);
  });
});

it('a lost record is replaced by the labels before', async () => {
  const { mailbox, gmail } = await setUpMailbox({
    messages: inboxMessages(20),
    behaviour: { historyRecords: 'joined' },
  });
  await gmail.loseNextRecords(2);
  const changes = idsOf(20).map((id) => ({ id, ...TRASH, before: ['INBOX'] }));
  expect(toChanges(await mailbox.changeLabels(changes, undefined))).toEqual(idsOf(20).map(() => TRASH));
});

describe('messages that take no label changes', () => {
  const withDrafts = () => {
    const messages = inboxMessages(200);
    for (const index of [3, 150]) messages[index] = { id: `m${index}`, labels: ['DRAFT'] };
    return messages;
  };
  const expected = idsOf(200).map((id) => (id === 'm3' || id === 'm150' ? 'failed' : ARCHIVE));

  it('fail alone when nothing was known of them', async () => {
    const { mailbox } = await setUpMailbox({ messages: withDrafts() });
    const outcomes = await mailbox.changeLabels(
      idsOf(200).map((id) => ({ id, ...ARCHIVE })),
      undefined,
    );
    expect(toChanges(outcomes)).toEqual(expected);
    expect(outcomes[3]).toMatchObject({ isUnsure: false });
  });

  it('are not sent when they are known', async () => {
    const messages = withDrafts();
    const { mailbox, gmail } = await setUpMailbox({ messages });
    const outcomes = await mailbox.changeLabels(
      messages.map(({ id, labels }) => ({ id, ...ARCHIVE, before: labels })),
      undefined,
    );
    expect(toChanges(outcomes)).toEqual(expected);
    expect(gmail.units()).toBe(1 + 50 + 2);
  });

  it('do not make hundreds of requests when Gmail refuses every change', async () => {
    const messages = inboxMessages(200, { labels: ['DRAFT'] });
    const { mailbox, gmail } = await setUpMailbox({ messages });
    const outcomes = await mailbox.changeLabels(
      idsOf(200).map((id) => ({ id, ...ARCHIVE })),
      undefined,
    );
    expect(new Set(toChanges(outcomes))).toEqual(new Set(['failed']));
    expect(gmail.requests.length).toBeLessThan(30);
  });
});
