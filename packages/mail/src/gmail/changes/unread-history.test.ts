import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import type { LabelChangeOutcome } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { inboxMessages, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE = { added: [], removed: ['INBOX'] };
const NOTHING = { added: [], removed: [] };
const archive = (id: string) => ({ id, ...ARCHIVE });
const known = (id: string) => ({ ...archive(id), before: ['INBOX'] });
const idsOf = (count: number) => inboxMessages(count).map(({ id }) => id);
const told = (outcomes: LabelChangeOutcome[]) =>
  outcomes.map((outcome) =>
    outcome.status === 'ok' ? outcome.change : `${outcome.error.code}${outcome.isUnsure ? '?' : ''}`,
  );

describe('changes of which the history can’t be read', () => {
  it.each([
    ['the batch itself failed', refusal(503, 'backendError'), 'mailbox_unavailable?'],
    ['the batch was taken', undefined, 'forbidden?'],
  ])('are unsure, for the first reason there was: %s', async (_, response, outcome) => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(12) });
    gmail.intercept(({ path }) => {
      if (path.endsWith('/batchModify')) return response;
      return path.endsWith('/history') ? refusal(403, 'forbidden') : undefined;
    });
    expect(told(await mailbox.changeLabels(idsOf(12).map(archive), undefined))).toEqual(
      idsOf(12).map(() => outcome),
    );
  });

  it('are unsure of a batch, open of a single one, where it is gone', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(13) });
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.expireHistory();
    expect(told(await mailbox.changeLabels(idsOf(12).map(archive), historyId))).toEqual(
      idsOf(12).map(() => 'mailbox_unavailable?'),
    );
    expect(await mailbox.changeLabels([archive('m12')], historyId)).toEqual([{ id: 'm12', status: 'ok' }]);
  });

  it('stay open where another client was there and only the history could tell', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('m0', { added: ['STARRED'] });
    gmail.intercept(({ path }) => (path.endsWith('/history') ? refusal(403, 'forbidden') : undefined));
    expect(await mailbox.changeLabels([known('m0')], historyId)).toEqual([{ id: 'm0', status: 'ok' }]);
  });
});

describe('changes of which the history is late', () => {
  const LATE = { historyDelayMs: 60_000 };

  it('are told by the labels before where it can no longer be read while it is waited for', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(12), behaviour: LATE });
    let reads = 0;
    gmail.intercept(({ path }) => {
      if (!path.endsWith('/history')) return undefined;
      reads += 1;
      return reads > 1 ? refusal(403, 'forbidden') : undefined;
    });
    expect(told(await mailbox.changeLabels(idsOf(12).map(known), undefined))).toEqual(
      idsOf(12).map(() => ARCHIVE),
    );
  });

  it('are told once it has come, also of a message that was as wanted, unless another client was there', async () => {
    const wasWanted = ['m0', 'm11'];
    const { mailbox, gmail } = await setUpMailbox({
      messages: inboxMessages(12).map((message) =>
        wasWanted.includes(message.id) ? { ...message, labels: [] } : message,
      ),
      behaviour: { historyDelayMs: 1_500 },
    });
    gmail.intercept(async ({ path }) => {
      if (path.endsWith('/batchModify')) await gmail.change('m0', { added: ['STARRED'] });
      return undefined;
    });
    expect(told(await mailbox.changeLabels(idsOf(12).map(archive), undefined))).toEqual([
      undefined,
      ...idsOf(10).map(() => ARCHIVE),
      NOTHING,
    ]);
  });

  it('stay open of a single one that another client was at', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1), behaviour: LATE });
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('m0', { added: ['STARRED'] });
    expect(await mailbox.changeLabels([known('m0')], historyId)).toEqual([{ id: 'm0', status: 'ok' }]);
  });

  it('stay open in a batch, but not whether the message exists', async () => {
    const { mailbox } = await setUpMailbox({ messages: inboxMessages(12), behaviour: LATE });
    const changes = [archive('m0'), archive('nowhere'), ...idsOf(12).slice(1).map(known)];
    expect(told(await mailbox.changeLabels(changes, undefined))).toEqual([
      undefined,
      'not_found',
      ...idsOf(12)
        .slice(1)
        .map(() => ARCHIVE),
    ]);
  });
});

describe('messages of a batch that another client changed at the same time', () => {
  it('stay open where that does not explain how they look', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: inboxMessages(12).map((message) =>
        message.id === 'm0' ? { ...message, labels: [] } : message,
      ),
    });
    gmail.intercept(async ({ path }) => {
      if (path.endsWith('/batchModify')) await gmail.change('m0', { added: ['STARRED'] });
      return undefined;
    });
    const outcomes = await mailbox.changeLabels(idsOf(12).map(archive), undefined);
    expect(told(outcomes)).toEqual(idsOf(12).map((id) => (id === 'm0' ? undefined : ARCHIVE)));
  });
});

it('changes of nothing ask nothing of the mailbox, not even where its history stands', async () => {
  const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
  expect(told(await mailbox.changeLabels([{ id: 'm0', ...NOTHING }], undefined))).toEqual([NOTHING]);
  expect(gmail.requests).toEqual([]);
});
