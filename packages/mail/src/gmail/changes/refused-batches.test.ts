import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import type { LabelChangeOutcome } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { inboxMessages, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE = { added: [], removed: ['INBOX'] };
const archive = (id: string) => ({ id, ...ARCHIVE });
const changesOf = (outcomes: LabelChangeOutcome[]) =>
  outcomes.map((outcome) => (outcome.status === 'ok' ? outcome.change : outcome.error.code));

/** Messages of the inbox; those at these places are drafts. */
const withDrafts = (count: number, drafts: readonly number[]) =>
  inboxMessages(count).map((message, index) =>
    drafts.includes(index) ? { ...message, labels: ['DRAFT'] } : message,
  );

describe('a batch that Gmail refuses', () => {
  it.each([
    ['one in each half, the first of the second half', 24, [3, 12]],
    ['all of the first half', 22, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
  ])('for drafts fails these alone: %s', async (_, count, drafts) => {
    const messages = withDrafts(count, drafts);
    const { mailbox, gmail } = await setUpMailbox({ messages });
    const outcomes = await mailbox.changeLabels(
      messages.map(({ id }) => archive(id)),
      undefined,
    );
    expect(changesOf(outcomes)).toEqual(
      messages.map((_message, index) => (drafts.includes(index) ? 'failed' : ARCHIVE)),
    );
    expect(gmail.messages.map(({ labels }) => labels)).toEqual(
      messages.map((_message, index) => (drafts.includes(index) ? ['DRAFT'] : [])),
    );
  });

  it('for ids that it can’t read fails these alone, however many they are', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(10) });
    const bad = Array.from({ length: 12 }, (_, index) => `bad-${index}`);
    gmail.intercept(({ path, body }) => {
      const { ids } = (body ?? {}) as { ids?: string[] };
      const isRefused = ids?.some((id) => bad.includes(id)) || path.includes('/bad-');
      return isRefused ? refusal(400, 'invalidArgument', 'Invalid id value') : undefined;
    });
    const good = inboxMessages(10).map(({ id }) => id);
    const outcomes = await mailbox.changeLabels([...bad, ...good].map(archive), undefined);
    expect(changesOf(outcomes)).toEqual([...bad.map(() => 'not_found'), ...good.map(() => ARCHIVE)]);
  });

  it('as forbidden is tried in parts', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(12) });
    gmail.intercept(({ path }) => (path.endsWith('/batchModify') ? refusal(403, 'forbidden') : undefined));
    const outcomes = await mailbox.changeLabels(
      inboxMessages(12).map(({ id }) => archive(id)),
      undefined,
    );
    expect(changesOf(outcomes)).toEqual(inboxMessages(12).map(() => ARCHIVE));
  });

  it('message by message is not looked for in the history', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(40, { labels: ['DRAFT'] }) });
    const ids = inboxMessages(40).map(({ id }) => id);
    expect(changesOf(await mailbox.changeLabels(ids.map(archive), '1'))).toEqual(ids.map(() => 'failed'));
    expect(new Set(gmail.requests.map(({ method }) => method))).toEqual(new Set(['POST']));
  });
});

it('a draft that is known as one is never sent', async () => {
  const { mailbox, gmail } = await setUpMailbox({ messages: withDrafts(1, [0]) });
  const outcomes = await mailbox.changeLabels([{ ...archive('m0'), before: ['DRAFT'] }], '1');
  expect(outcomes).toMatchObject([{ status: 'error', error: { code: 'failed' }, isUnsure: false }]);
  expect(gmail.requests).toEqual([]);
});
