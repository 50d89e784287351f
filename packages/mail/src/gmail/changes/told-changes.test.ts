import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import type { LabelChangeOutcome } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { inboxMessages, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE = { added: [], removed: ['INBOX'] };
const NOTHING = { added: [], removed: [] };
const archive = (id: string) => ({ id, ...ARCHIVE });
const idsOf = (count: number) => inboxMessages(count).map(({ id }) => id);
const changesOf = (outcomes: LabelChangeOutcome[]) =>
  outcomes.map((outcome) => (outcome.status === 'ok' ? outcome.change : outcome.error.code));
const FULL_RESPONSES = { shortChangeResponses: false };

describe('the response to a change', () => {
  it('of a message that nothing has changed since tells so without the history', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(2), behaviour: FULL_RESPONSES });
    await gmail.change('m0', { removed: ['INBOX'] });
    const { historyId } = await mailbox.readBaseline([]);
    gmail.requests.length = 0;
    expect(changesOf(await mailbox.changeLabels([archive('m0')], historyId))).toEqual([NOTHING]);
    expect(gmail.requests.map(({ method }) => method)).toEqual(['POST']);
    expect(changesOf(await mailbox.changeLabels([archive('m1')], historyId))).toEqual([ARCHIVE]);
  });

  it('tells the place of the change in the history, where it names one', async () => {
    const full = await setUpMailbox({ messages: inboxMessages(1), behaviour: FULL_RESPONSES });
    const known = { ...archive('m0'), before: ['INBOX'] };
    expect(await full.mailbox.changeLabels([known], '1')).toEqual([
      { id: 'm0', status: 'ok', change: ARCHIVE, historyId: await full.gmail.readHistoryId('m0') },
    ]);
    const short = await setUpMailbox({ messages: inboxMessages(1) });
    expect(await short.mailbox.changeLabels([known], '1')).toEqual([
      { id: 'm0', status: 'ok', change: ARCHIVE },
    ]);
  });

  it('may leave out the labels of a message that has none left', async () => {
    const { mailbox, gmail, clock } = await setUpMailbox({
      messages: [...inboxMessages(1), { id: 'bare', labels: [] }],
    });
    gmail.intercept(async (request) => {
      if (!request.path.endsWith('/modify')) return undefined;
      await gmail.respond(request);
      return { body: { id: request.path.split('/').at(-2) } };
    });
    const changes = [
      { ...archive('m0'), before: ['INBOX'] },
      { ...archive('bare'), before: [] },
    ];
    expect(changesOf(await mailbox.changeLabels(changes, undefined))).toEqual([ARCHIVE, NOTHING]);
    expect(clock.waitsMs).toEqual([]);
  });

  it('is enough where the history may show an earlier change of ours', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
    const known = { ...archive('m0'), before: ['INBOX'], isAhead: true };
    expect(changesOf(await mailbox.changeLabels([known], '1'))).toEqual([ARCHIVE]);
    expect(gmail.requests.map(({ method }) => method)).toEqual(['POST']);
  });

  it.each([
    ['another label is put on', { added: ['Label_8'], removed: ['Label_7'] }],
    ['another label is taken off', { added: [], removed: ['INBOX', 'Label_7'] }],
  ])('that a label is gone fails the change where %s with it', async (_, change) => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
    gmail.intercept(() => refusal(400, 'invalidArgument', 'labelId not found'));
    expect(changesOf(await mailbox.changeLabels([{ id: 'm0', ...change }], '1'))).toEqual(['label_gone']);
  });
});

describe('what a change did to a message that others changed, too', () => {
  it('is found where it undid what another client had done a moment before', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: [{ id: 'm0', labels: [] }] });
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('m0', { added: ['INBOX'] });
    const wasArchived = { ...archive('m0'), before: [] };
    expect(changesOf(await mailbox.changeLabels([wasArchived], historyId))).toEqual([ARCHIVE]);
  });

  it('does not hold what happened after the response', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: ['m0', 'm1'].map((id) => ({ id, labels: [] })),
      behaviour: FULL_RESPONSES,
    });
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change(['m0', 'm1'], { added: ['STARRED'] });
    gmail.intercept(async (request) => {
      if (request.method !== 'POST') return undefined;
      const response = await gmail.respond(request);
      if (request.path.includes('/m0/')) {
        await gmail.change('m0', { added: ['INBOX'] });
        await gmail.change('m0', { removed: ['INBOX'] });
      } else await gmail.remove('m1');
      return response;
    });
    const changes = ['m0', 'm1'].map((id) => ({ ...archive(id), before: [] }));
    expect(changesOf(await mailbox.changeLabels(changes, historyId))).toEqual([NOTHING, NOTHING]);
  });

  it('is nothing where the message was deleted before a batch', async () => {
    const { mailbox, gmail, clock } = await setUpMailbox({ messages: inboxMessages(12) });
    gmail.intercept(async ({ path }) => {
      if (path.endsWith('/batchModify')) await gmail.remove('m3');
      return undefined;
    });
    const outcomes = await mailbox.changeLabels(
      idsOf(12).map((id) => ({ ...archive(id), before: ['INBOX'] })),
      undefined,
    );
    expect(changesOf(outcomes)).toEqual(idsOf(12).map((id) => (id === 'm3' ? 'not_found' : ARCHIVE)));
    expect(clock.waitsMs).toEqual([]);
  });

  it('is told with its place in the history: a later check sees what came after, at no more than it costs', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(12) });
    gmail.intercept(async (request) => {
      if (!request.path.endsWith('/batchModify')) return undefined;
      const response = await gmail.respond(request);
      await gmail.change('m3', { added: ['INBOX'] });
      return response;
    });
    const outcomes = await mailbox.changeLabels(idsOf(12).map(archive), undefined);
    const made = outcomes.map((outcome) => ({ change: ARCHIVE, historyId: undefined, ...outcome }));
    const { statuses } = await mailbox.checkChanges(made.map((one) => ({ ...one, change: ARCHIVE })));
    expect(statuses).toEqual(idsOf(12).map((id) => ({ id, isReversible: id !== 'm3' })));
    gmail.requests.length = 0;
    await mailbox.checkChanges(made.slice(5).map((one) => ({ ...one, change: ARCHIVE })));
    expect(gmail.requests.map(({ path }) => path)).toEqual([expect.stringMatching(/profile$/)]);
  });
});

describe('messages of a batch that the history does not show', () => {
  it('were as wanted where it shows the others', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(30) });
    await gmail.change(idsOf(20), { removed: ['INBOX'] });
    const outcomes = await mailbox.changeLabels(idsOf(30).map(archive), undefined);
    expect(changesOf(outcomes)).toEqual(idsOf(30).map((_, index) => (index < 20 ? NOTHING : ARCHIVE)));
  });

  it('stay open where it shows none, but for those that say so themselves', async () => {
    const { mailbox } = await setUpMailbox({ messages: inboxMessages(30, { labels: [] }) });
    const outcomes = await mailbox.changeLabels(idsOf(30).map(archive), undefined);
    expect(changesOf(outcomes)).toEqual(idsOf(30).map((_, index) => (index < 10 ? NOTHING : undefined)));
  });
});
