import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import type { LabelChangeOutcome } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { inboxMessages, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE = { added: [], removed: ['INBOX'] };
const NOTHING = { added: [], removed: [] };
/** From this age on, in milliseconds, a change without a record was not made. */
const SHOWN_AFTER_MS = 120_000;
const archive = (id: string) => ({ id, ...ARCHIVE });
const archived = (id: string) => ({ id, ...ARCHIVE, isDone: true });
const idsOf = (count: number) => inboxMessages(count).map(({ id }) => id);
const told = (outcomes: LabelChangeOutcome[]) =>
  outcomes.map((outcome) =>
    outcome.status === 'ok' ? outcome.change : `${outcome.error.code}${outcome.isUnsure ? '?' : ''}`,
  );

describe('changes of which the history shows nothing', () => {
  it('stay open for two minutes where they may have been made, but for messages that tell themselves', async () => {
    const { mailbox } = await setUpMailbox({ messages: inboxMessages(12, { labels: [] }) });
    const { historyId } = await mailbox.readBaseline([]);
    const find = async (ageMs: number, toChange = archive) =>
      told(await mailbox.findChanges(idsOf(12).map(toChange), historyId, ageMs));
    const tenAndTwo = (ten: unknown, two: unknown) => idsOf(12).map((_, index) => (index < 10 ? ten : two));
    expect(await find(SHOWN_AFTER_MS - 1)).toEqual(tenAndTwo('failed', 'mailbox_unavailable?'));
    expect(await find(SHOWN_AFTER_MS - 1, archived)).toEqual(tenAndTwo(NOTHING, undefined));
    expect(await find(SHOWN_AFTER_MS)).toEqual(tenAndTwo('failed', 'failed'));
    expect(await find(SHOWN_AFTER_MS, archived)).toEqual(tenAndTwo(NOTHING, NOTHING));
  });

  it('were not made where it shows others of the same call', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: inboxMessages(13).map((message, index) =>
        index === 0 ? message : { ...message, labels: [] },
      ),
    });
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('m0', { removed: ['INBOX'] });
    gmail.requests.length = 0;
    const found = await mailbox.findChanges(idsOf(13).map(archived), historyId);
    expect(told(found)).toEqual(idsOf(13).map((id) => (id === 'm0' ? ARCHIVE : NOTHING)));
    expect(gmail.requests.filter(({ path }) => path.endsWith('/m0'))).toEqual([]);
  });

  it('were not made where one of the messages is as it was', async () => {
    const { mailbox } = await setUpMailbox({
      messages: inboxMessages(12).map((message) =>
        message.id === 'm5' ? message : { ...message, labels: [] },
      ),
    });
    const { historyId } = await mailbox.readBaseline([]);
    expect(told(await mailbox.findChanges(idsOf(12).map(archive), historyId))).toEqual(
      idsOf(12).map(() => 'failed'),
    );
  });

  it('stay open of a message that another client changed, unless that explains how it looks', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: [
        { id: 'starred', labels: [] },
        { id: 'starred-in-inbox', labels: ['INBOX'] },
        { id: 'done-by-another', labels: ['INBOX', 'UNREAD'] },
      ],
    });
    const ids = gmail.messages.map(({ id }) => id);
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('starred', { added: ['STARRED'] });
    await gmail.change('starred-in-inbox', { added: ['STARRED'] });
    await gmail.change('done-by-another', { removed: ['INBOX', 'UNREAD'] });
    const find = async (ageMs: number, toChange = archive) =>
      told(await mailbox.findChanges(ids.map(toChange), historyId, ageMs));
    expect(await find(0)).toEqual(['mailbox_unavailable?', 'failed', 'failed']);
    expect((await find(0, archived)).toSpliced(1, 1)).toEqual([undefined, NOTHING]);
    expect(await find(SHOWN_AFTER_MS)).toEqual(['failed', 'failed', 'failed']);
    expect((await find(SHOWN_AFTER_MS, archived)).toSpliced(1, 1)).toEqual([NOTHING, NOTHING]);
  });

  it('stay open where a record is lost, and the others are told after two minutes', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(3) });
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.loseNextRecords(1);
    await gmail.change('m0', { removed: ['INBOX'] });
    const found = await mailbox.findChanges(idsOf(3).map(archive), historyId, SHOWN_AFTER_MS);
    expect(told(found)).toEqual(['mailbox_unavailable?', 'failed', 'failed']);
  });

  it('are unsure of a message that can’t be read', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
    const { historyId } = await mailbox.readBaseline([]);
    gmail.intercept(({ path }) => (path.endsWith('/m0') ? refusal(403, 'forbidden') : undefined));
    expect(told(await mailbox.findChanges([archive('m0'), archive('gone')], historyId))).toEqual([
      'forbidden?',
      'not_found',
    ]);
  });
});

describe('a change that is looked for', () => {
  it('is found in the history after an earlier one of ours that it does not show yet', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('m0', { removed: ['INBOX'] });
    const ahead = { ...archive('m0'), before: ['INBOX'], isAhead: true };
    expect(told(await mailbox.findChanges([ahead], historyId))).toEqual([ARCHIVE]);
  });

  it('is found where it undid what another client had done', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: [{ id: 'm0', labels: [] }] });
    const { historyId } = await mailbox.readBaseline([]);
    await gmail.change('m0', { added: ['INBOX'] });
    await gmail.change('m0', { removed: ['INBOX'] });
    const wasArchived = { ...archive('m0'), before: [] };
    expect(told(await mailbox.findChanges([wasArchived], historyId))).toEqual([ARCHIVE]);
  });

  it('is not judged by the labels while the history can’t be read', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
    gmail.intercept(({ path }) => (path.endsWith('/history') ? refusal(403, 'forbidden') : undefined));
    expect(told(await mailbox.findChanges([archive('m0')], '1'))).toEqual(['forbidden?']);
  });

  it('asks nothing of the mailbox where nothing was to be done', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
    expect(told(await mailbox.findChanges([{ id: 'm0', ...NOTHING }], '1'))).toEqual([NOTHING]);
    const wasArchived = { ...archive('m0'), before: [] };
    const found = await mailbox.findChanges([wasArchived, archived('m0')], undefined);
    expect(told(found)).toEqual([NOTHING, ARCHIVE]);
    expect(gmail.requests).toEqual([]);
  });
});
