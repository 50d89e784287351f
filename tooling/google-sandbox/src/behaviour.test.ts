import { describe, expect, it } from 'vitest';
import { sandboxDefaults } from './behaviour.ts';
import { changeBehaviour, mailboxOf, message, openMailbox, startSandbox } from './testing/test-sandbox.ts';

const INBOX_OF_FIVE = [1, 2, 3, 4, 5].map((age) => message(`m${age}`, { ageDays: age }));

describe('the settings of the sandbox', () => {
  it('can be read, changed and put back while it runs', async () => {
    const { url } = await startSandbox([mailboxOf()], { behaviour: { historyDelayMs: 5 } });
    const read = async () => (await fetch(`${url}/sandbox/behaviour`)).json();
    expect(await read()).toEqual({ ...sandboxDefaults, historyDelayMs: 5 });
    expect((await changeBehaviour(url, { flatEstimate: false })).status).toBe(200);
    expect(await read()).toMatchObject({ flatEstimate: false, historyDelayMs: 5 });
    await fetch(`${url}/sandbox/behaviour`, { method: 'DELETE' });
    expect(await read()).toEqual({ ...sandboxDefaults, historyDelayMs: 5 });
  });

  it('can all be set to what is known of Google at once', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const changed = await changeBehaviour(url, { faithful: true, historyDelayMs: 0 });
    expect(await changed.json()).toMatchObject({ shortChangeResponses: true, historyDelayMs: 0 });
  });

  it.each([{ unknown: true }, { historyDelayMs: -1 }, { historyRecords: 'none' }])(
    'refuse %j',
    async (change) => {
      const { url } = await startSandbox([mailboxOf()]);
      expect((await changeBehaviour(url, change)).status).toBe(400);
    },
  );
});

describe('lists, as Gmail gives them', () => {
  const faithful = { tokenAfterFullPage: true, opaquePageTokens: true };

  it('estimate 201 and go on after a full page, even where nothing is left', async () => {
    const { url } = await startSandbox([mailboxOf(...INBOX_OF_FIVE)], { behaviour: faithful });
    const mailbox = await openMailbox(url);
    const page = await mailbox.get('/messages?maxResults=5');
    expect(page.messages).toHaveLength(5);
    expect(page).toMatchObject({ resultSizeEstimate: 201, nextPageToken: expect.stringMatching(/^\d{20}$/) });
    expect(await mailbox.get(`/messages?maxResults=5&pageToken=${page.nextPageToken}`)).toEqual({
      resultSizeEstimate: 0,
    });
  });

  it('give every message once over pages with opaque tokens, and count a short list exactly', async () => {
    const { url } = await startSandbox([mailboxOf(...INBOX_OF_FIVE)], { behaviour: faithful });
    const mailbox = await openMailbox(url);
    const first = await mailbox.get('/messages?maxResults=3');
    const second = await mailbox.get(`/messages?maxResults=3&pageToken=${first.nextPageToken}`);
    expect([...first.messages, ...second.messages].map(({ id }) => id)).toEqual([
      'm1',
      'm2',
      'm3',
      'm4',
      'm5',
    ]);
    expect(second).not.toHaveProperty('nextPageToken');
    expect(await mailbox.get('/messages')).toMatchObject({ resultSizeEstimate: 5 });
  });

  it.each(['5', '12345678901234567890', 'next'])('refuse %s, which is no token of theirs', async (token) => {
    const { url } = await startSandbox([mailboxOf(...INBOX_OF_FIVE)], { behaviour: faithful });
    const response = await (await openMailbox(url)).call('GET', `/messages?pageToken=${token}`);
    expect(response.status).toBe(400);
  });

  it('carry thread ids, and cost 5 units for 500', async () => {
    const { url } = await startSandbox([mailboxOf(...INBOX_OF_FIVE)]);
    const mailbox = await openMailbox(url);
    const { messages } = await mailbox.get('/messages?maxResults=500');
    expect(messages[0]).toEqual({ id: 'm1', threadId: 'thread-m1' });
    expect(await (await fetch(`${url}/sandbox/quota`)).json()).toMatchObject({ units: 5 });
  });

  it.each([
    [true, ['personal']],
    [false, ['personal', 'plain']],
  ])('find for category:primary what the settings say (%s)', async (primaryIsPersonal, ids) => {
    const { url } = await startSandbox(
      [
        mailboxOf(
          message('personal', { ageDays: 1, labels: ['INBOX', 'CATEGORY_PERSONAL'] }),
          message('plain', { ageDays: 2 }),
          message('promo', { ageDays: 3, labels: ['INBOX', 'CATEGORY_PROMOTIONS'] }),
        ),
      ],
      { behaviour: { primaryIsPersonal } },
    );
    expect(await (await openMailbox(url)).search('category:primary')).toEqual(ids);
  });

  it('show drafts and chats among the mail, and leave them out on demand', async () => {
    const { url } = await startSandbox([
      mailboxOf(
        message('mail', { ageDays: 1 }),
        message('draft', { ageDays: 2, labels: ['DRAFT'] }),
        message('chat', { ageDays: 3, labels: ['CHAT'] }),
      ),
    ]);
    const mailbox = await openMailbox(url);
    expect(await mailbox.search('')).toEqual(['mail', 'draft', 'chat']);
    expect(await mailbox.search('-in:chats')).toEqual(['mail', 'draft']);
    expect(await mailbox.search('-in:chats -in:drafts')).toEqual(['mail']);
    expect(await mailbox.search('-label:draft -is:chat')).toEqual(['mail']);
    expect(await mailbox.search('in:drafts')).toEqual(['draft']);
  });
});

describe('the labels of the sandbox', () => {
  it('are counted in labels.get alone, exactly, for 1 unit', async () => {
    const { url } = await startSandbox([
      mailboxOf(
        message('m1', { labels: ['INBOX', 'UNREAD'] }),
        message('m2', { labels: ['INBOX', 'UNREAD'], threadId: 'thread-m1' }),
        message('m3'),
        message('m4', { labels: [] }),
      ),
    ]);
    const mailbox = await openMailbox(url);
    expect(await mailbox.get('/labels/INBOX')).toEqual({
      id: 'INBOX',
      name: 'INBOX',
      type: 'system',
      messageListVisibility: 'show',
      labelListVisibility: 'labelShow',
      messagesTotal: 3,
      messagesUnread: 2,
      threadsTotal: 2,
      threadsUnread: 1,
    });
    expect(await (await fetch(`${url}/sandbox/quota`)).json()).toMatchObject({ units: 1 });
    const { labels } = await mailbox.get('/labels');
    expect(labels).toContainEqual(expect.objectContaining({ id: 'CHAT', type: 'system' }));
    expect(labels[0]).not.toHaveProperty('messagesTotal');
  });

  it.each(['mailsweep/bulk', 'Mailsweep Bulk', 'Mailsweep-bulk'])(
    'conflict with %s when there is Mailsweep/bulk (409)',
    async (name) => {
      const { url } = await startSandbox([mailboxOf()]);
      const mailbox = await openMailbox(url);
      const made = await mailbox.call('POST', '/labels', { name: 'Mailsweep/bulk' });
      expect(await made.json()).not.toHaveProperty('type');
      const refused = await mailbox.call('POST', '/labels', { name });
      expect(refused.status).toBe(409);
      expect(await refused.json()).toMatchObject({
        error: { message: 'Label name exists or conflicts', errors: [{ reason: 'aborted' }] },
      });
    },
  );

  it('can’t be called as Gmail calls its own (400)', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const refused = await (await openMailbox(url)).call('POST', '/labels', { name: 'Drafts' });
    expect(refused.status).toBe(400);
  });

  it.each([
    [false, 0],
    [true, 1],
  ])('are deleted with records in the history or without (%s)', async (labelDeletionInHistory, records) => {
    const { url } = await startSandbox([mailboxOf(message('m1'))], { behaviour: { labelDeletionInHistory } });
    const mailbox = await openMailbox(url);
    const { id } = (await (await mailbox.call('POST', '/labels', { name: 'Bulk' })).json()) as { id: string };
    await mailbox.call('POST', '/messages/m1/modify', { addLabelIds: [id] });
    const { historyId } = await mailbox.get('/profile');
    expect((await mailbox.call('DELETE', `/labels/${id}`)).status).toBe(204);
    expect((await mailbox.get('/messages/m1')).labelIds).toEqual(['INBOX']);
    const { history = [] } = await mailbox.get(`/history?startHistoryId=${historyId}`);
    expect(history).toHaveLength(records);
  });
});
