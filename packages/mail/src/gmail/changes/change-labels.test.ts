import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import type { LabelChangeOutcome } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { inboxMessages, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE = { added: [], removed: ['INBOX'] };
const NOTHING = { added: [], removed: [] };
const archive = (id: string) => ({ id, ...ARCHIVE });
const idsOf = (count: number) => inboxMessages(count).map(({ id }) => id);
/** Outcomes without where they stand in the history. */
const told = (outcomes: LabelChangeOutcome[]) =>
  outcomes.map((outcome) =>
    outcome.status === 'ok' ? outcome.change : `${outcome.error.code}${outcome.isUnsure ? '?' : ''}`,
  );

describe('changing many messages', () => {
  it('costs one batch and its receipts, also when nothing was known of the messages', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1_000) });
    const outcomes = await mailbox.changeLabels(idsOf(1_000).map(archive), undefined);
    expect(new Set(told(outcomes).map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify(ARCHIVE)]),
    );
    expect(outcomes.map(({ id }) => id)).toEqual(idsOf(1_000));
    expect(gmail.messages.every(({ labels }) => labels.length === 0)).toBe(true);
    // Profile, batch, two pages of history.
    expect(gmail.units()).toBe(1 + 50 + 2 * 2);
  });

  it('tells the real change of each: also of those that were as wanted, and of those that don’t exist', async () => {
    const messages = inboxMessages(20);
    messages[3] = { id: 'm3', labels: ['UNREAD'] };
    const { mailbox } = await setUpMailbox({ messages });
    const ids = [...idsOf(20), 'nowhere', '..'];
    const outcomes = await mailbox.changeLabels(ids.map(archive), undefined);
    expect(told(outcomes)).toEqual([
      ...idsOf(20).map((id) => (id === 'm3' ? NOTHING : ARCHIVE)),
      'not_found',
      'not_found',
    ]);
  });

  it('sends equal changes together and others apart', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(24) });
    const outcomes = await mailbox.changeLabels(
      idsOf(24).map((id, index) => (index % 2 ? archive(id) : { id, added: ['TRASH'], removed: ['INBOX'] })),
      undefined,
    );
    expect(outcomes.every(({ status }) => status === 'ok')).toBe(true);
    expect(gmail.requests.filter(({ path }) => path.endsWith('/batchModify'))).toHaveLength(2);
    expect(gmail.messages.map(({ labels }) => labels.length)).toEqual(
      idsOf(24).map((_, index) => 1 - (index % 2)),
    );
  });

  it('leaves what another client did at the same time to that client', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: inboxMessages(20, { labels: ['INBOX', 'UNREAD'] }),
    });
    gmail.intercept(async ({ path }) => {
      if (path.endsWith('/batchModify')) {
        await gmail.change('m1', { removed: ['UNREAD'] });
        await gmail.change('m2', { removed: ['INBOX', 'UNREAD'] });
        await gmail.remove('m3');
      }
      return undefined;
    });
    const outcomes = await mailbox.changeLabels(idsOf(20).map(archive), undefined);
    expect(told(outcomes).slice(0, 5)).toEqual([ARCHIVE, ARCHIVE, NOTHING, 'not_found', ARCHIVE]);
  });

  it('is not failed by an id that Gmail can’t read', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(100) });
    gmail.intercept(({ path, body }) => {
      const { ids } = (body ?? {}) as { ids?: string[] };
      const isRefused = ids?.includes('?!') || path.includes(`/${encodeURIComponent('?!')}/`);
      return isRefused ? refusal(400, 'invalidArgument', 'Invalid id value') : undefined;
    });
    const outcomes = await mailbox.changeLabels(['?!', ...idsOf(100)].map(archive), undefined);
    expect(told(outcomes)).toEqual(['not_found', ...idsOf(100).map(() => ARCHIVE)]);
  });

  it('whose response is lost is resolved by the history: what happened is done, what did not may still happen', async () => {
    const { mailbox, gmail } = await setUpMailbox(
      { messages: inboxMessages(12) },
      { maxResponseBytes: 2_000 },
    );
    gmail.intercept(async (request) => {
      if (!request.path.endsWith('/batchModify')) return undefined;
      await gmail.respond({ ...request, body: { ...(request.body as object), ids: idsOf(11) } });
      return { body: 'x'.repeat(4_000) };
    });
    const outcomes = await mailbox.changeLabels(idsOf(12).map(archive), undefined);
    expect(told(outcomes)).toEqual([...idsOf(11).map(() => ARCHIVE), 'mailbox_unavailable?']);
  });

  it('fails each with the same reason, unsure of what happened, while nobody answers', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(12) });
    gmail.intercept(({ method }) => (method === 'POST' ? refusal(503, 'backendError') : undefined));
    const outcomes = await mailbox.changeLabels(idsOf(12).map(archive), undefined);
    expect(told(outcomes)).toEqual(idsOf(12).map(() => 'mailbox_unavailable?'));
  });
});

describe('changing a few messages', () => {
  it('takes the history for the judge where the labels are not as they were known', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: inboxMessages(3),
      // Of two records, one would look like ours.
      behaviour: { historyRecords: 'joined' },
    });
    const { historyId } = await mailbox.readBaseline(['m0']);
    await gmail.change('m0', { added: ['STARRED'] });
    await gmail.change('m1', { added: ['UNREAD'], removed: ['INBOX'] });
    gmail.requests.length = 0;
    const changes = idsOf(3).map((id) => ({ ...archive(id), before: ['INBOX'] }));
    expect(told(await mailbox.changeLabels(changes, historyId))).toEqual([ARCHIVE, NOTHING, ARCHIVE]);
    expect(gmail.units()).toBe(3 * 5 + 2);
  });

  it('leaves open what it took where neither response nor history can tell', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(2) });
    const { historyId } = await mailbox.readBaseline(['m0']);
    gmail.intercept(({ path }) => (path.endsWith('/history') ? refusal(403, 'forbidden') : undefined));
    expect(await mailbox.changeLabels([archive('m0')], historyId)).toEqual([{ id: 'm0', status: 'ok' }]);
    gmail.intercept(() => undefined);
    const open = { ...archive('m0'), isDone: true };
    expect(told(await mailbox.findChanges([open], historyId))).toEqual([ARCHIVE]);
    expect(told(await mailbox.findChanges([{ ...open, id: 'm1' }], historyId))).toEqual([NOTHING]);
    expect(told(await mailbox.findChanges([{ ...open, id: 'gone' }], historyId))).toEqual(['not_found']);
    await gmail.expireHistory();
    expect(told(await mailbox.findChanges([open], historyId))).toEqual([ARCHIVE]);
  });
});

describe('changing a message after the history was lost', () => {
  it('goes by the labels known before', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(2) });
    const { historyId } = await mailbox.readBaseline(idsOf(2));
    await gmail.expireHistory();
    const wasArchived = { ...archive('m0'), before: [] };
    await gmail.change('m0', { removed: ['INBOX'] });
    await gmail.change('m1', { added: ['STARRED'] });
    const changes = [wasArchived, { ...archive('m1'), before: ['INBOX'] }];
    expect(told(await mailbox.changeLabels(changes, historyId))).toEqual([NOTHING, ARCHIVE]);
  });
});

describe('finding out later what became of changes', () => {
  it('looks into the history since before them, without changing anything', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(4) });
    const { historyId } = await mailbox.readBaseline(idsOf(4));
    await gmail.change('m0', { removed: ['INBOX'] });
    await gmail.change('m0', { added: ['INBOX'] });
    await gmail.change('m1', { added: ['STARRED'] });
    const found = await mailbox.findChanges([...idsOf(3).map(archive), { id: 'm3', ...NOTHING }], historyId);
    expect(told(found)).toEqual([ARCHIVE, 'failed', 'failed', NOTHING]);
    expect(gmail.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('goes by the labels where the history is gone', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: [
        { id: 'm0', labels: [] },
        { id: 'm1', labels: ['INBOX'] },
        { id: 'm2', labels: ['TRASH'] },
      ],
    });
    const { historyId } = await mailbox.readBaseline(['m0']);
    await gmail.expireHistory();
    const trashed = { id: 'm2', added: ['TRASH'], removed: ['INBOX'], before: ['UNREAD'] };
    const found = await mailbox.findChanges(
      [archive('m0'), archive('m1'), trashed, archive('gone')],
      historyId,
    );
    expect(told(found)).toEqual([ARCHIVE, 'failed', { added: ['TRASH'], removed: [] }, 'not_found']);
  });

  it('stays unsure while the mailbox can’t be read', async () => {
    const { mailbox, gmail } = await setUpMailbox();
    gmail.intercept(() => refusal(401, 'authError'));
    expect(told(await mailbox.findChanges([archive('m0')], '1'))).toEqual(['reauth_required?']);
    expect(told(await mailbox.findChanges([archive('m0')], undefined))).toEqual(['reauth_required?']);
  });
});
