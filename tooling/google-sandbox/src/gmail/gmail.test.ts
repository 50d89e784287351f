import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ADA,
  FULL_SCOPE,
  GRACE,
  mailboxOf,
  message,
  openMailbox,
  startSandbox,
} from '../testing/test-sandbox.ts';

const MB = 1024 * 1024;
const pdf = (sizeBytes: number) => ({
  filename: 'report.pdf',
  mimeType: 'application/pdf',
  sizeBytes,
  isInline: false,
});

describe('Gmail of the sandbox', () => {
  it('returns the profile: address, counts and the present history id', async () => {
    const { url } = await startSandbox([
      mailboxOf(
        message('m1'),
        message('m2', { threadId: 'thread-m1' }),
        message('m3', { labels: ['TRASH'] }),
      ),
    ]);
    const mailbox = await openMailbox(url);
    expect(await mailbox.get('/profile')).toMatchObject({
      emailAddress: 'ada@example.com',
      messagesTotal: 3,
      threadsTotal: 2,
      historyId: expect.stringMatching(/^\d+$/),
    });
  });

  it('gives a whole conversation, oldest first, with what was sent and thrown away', async () => {
    const talk = { threadId: 'm1' };
    const { url } = await startSandbox([
      mailboxOf(
        message('m1', { ...talk, ageDays: 4 }),
        message('m2', { ...talk, ageDays: 3, labels: ['SENT'] }),
        message('m3', { ...talk, ageDays: 2, labels: ['TRASH'], text: "It's late" }),
        message('m4', { ageDays: 1 }),
      ),
    ]);
    const mailbox = await openMailbox(url);
    const thread = await mailbox.get('/threads/m1?format=minimal');
    expect(Object.keys(thread)).toEqual(['id', 'historyId', 'messages']);
    expect(thread.messages).toMatchObject([
      { id: 'm1', threadId: 'm1', labelIds: ['INBOX'] },
      { id: 'm2', labelIds: ['SENT'] },
      { id: 'm3', labelIds: ['TRASH'], snippet: 'It&#39;s late' },
    ]);
    expect(thread.messages[2]).toEqual(await mailbox.get('/messages/m3?format=minimal'));
    const mask = encodeURIComponent('messages(id,payload(headers(name)))');
    const masked = await mailbox.get(`/threads/m1?format=full&fields=${mask}`);
    expect(Object.keys(masked.messages[0])).toEqual(['id', 'payload']);
    expect((await mailbox.call('GET', '/threads/gone')).status).toBe(404);
  });

  it('says of each attachment what it weighs, without holding its bytes', async () => {
    const { url } = await startSandbox([
      mailboxOf(message('big', { attachments: [pdf(24 * MB), { ...pdf(3 * MB), filename: 'photos.zip' }] })),
    ]);
    const mailbox = await openMailbox(url);
    const { payload, sizeEstimate } = await mailbox.get('/messages/big?format=full');
    const attachments = payload.parts.filter((part: { filename: string }) => part.filename);
    expect(attachments.map((part: { filename: string }) => part.filename)).toEqual([
      'report.pdf',
      'photos.zip',
    ]);
    expect(attachments.map((part: { body: { size: number } }) => part.body.size)).toEqual([24 * MB, 3 * MB]);
    expect(sizeEstimate).toBeGreaterThan(36 * MB);
    expect(sizeEstimate).toBeLessThan(40 * MB);
  });

  it('gives the files of a message, of one within another, too', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1', { attachments: [pdf(MB)] }))]);
    const mailbox = await openMailbox(url);
    const file = (name: string) => [
      `Content-Type: text/plain; name="${name}"`,
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=C3=BC=',
      '=C3=9Fe',
    ];
    const raw = [
      'From: a@b.example',
      'Content-Type: multipart/mixed; boundary="part"',
      '',
      '--part',
      ...file('outer.txt'),
      '--part',
      'Content-Type: message/rfc822',
      '',
      'Subject: forwarded',
      ...file('inner.txt'),
      '--part--',
    ].join('\r\n');
    const body = { raw: Buffer.from(raw).toString('base64url'), labelIds: ['INBOX'] };
    const { id } = (await (await mailbox.call('POST', '/messages/import', body)).json()) as { id: string };
    const { payload } = await mailbox.get(`/messages/${id}`);
    const parts = [payload.parts[0], payload.parts[1].parts[0]];
    expect(parts.map(({ partId, filename }) => [partId, filename])).toEqual([
      ['0', 'outer.txt'],
      ['1.0', 'inner.txt'],
    ]);
    for (const { body: content } of parts) {
      const { data } = await mailbox.get(`/messages/${id}/attachments/${content.attachmentId}`);
      expect(Buffer.from(data, 'base64url').toString()).toBe('Grüße');
    }
    const [, seeded] = (await mailbox.get('/messages/m1')).payload.parts;
    expect((await mailbox.call('GET', `/messages/m1/attachments/${seeded.body.attachmentId}`)).status).toBe(
      200,
    );
    expect((await mailbox.call('GET', '/messages/m1/attachments/none')).status).toBe(404);
  });

  it('has drafts, which can be sent, and conversations, which can be thrown away', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    const raw = Buffer.from('To: b@c.example\nSubject: Hi\n\nHello').toString('base64url');
    const made = await (await mailbox.call('POST', '/drafts', { message: { raw } })).json();
    expect(await mailbox.get('/drafts')).toMatchObject({ drafts: [made] });
    const { id } = made as { id: string };
    const sent = (await (await mailbox.call('POST', '/drafts/send', { id })).json()) as {
      labelIds: string[];
      threadId: string;
    };
    expect(sent.labelIds).toEqual(['SENT']);
    expect((await mailbox.call('GET', `/drafts/${id}`)).status).toBe(404);

    const before = (await mailbox.get('/threads')).threads.map((thread: { id: string }) => thread.id);
    expect(before.toSorted()).toEqual([sent.threadId, 'thread-m1'].toSorted());
    expect((await mailbox.call('POST', '/threads/thread-m1/trash')).status).toBe(200);
    expect((await mailbox.get('/messages/m1')).labelIds).toEqual(['TRASH']);
    expect((await mailbox.get('/threads')).threads).toMatchObject([{ id: sent.threadId }]);
  });

  it('joins an answer to the conversation that it names', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    const { headers } = (await mailbox.get('/messages/m1?format=metadata')).payload;
    const { value } = headers.find(({ name }: { name: string }) => name === 'Message-ID');
    const raw = Buffer.from(`From: a@b.example\nIn-Reply-To: ${value}\n\nYes`).toString('base64url');
    const answer = await (await mailbox.call('POST', '/messages', { raw, labelIds: ['INBOX'] })).json();
    expect(answer).toMatchObject({ threadId: 'thread-m1' });
  });

  it('responds with the fields of a mask alone', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1', { attachments: [pdf(MB)] }))]);
    const mailbox = await openMailbox(url);
    const fields = 'id,labelIds,payload(headers(name),parts(filename,body(size)))';
    const response = await mailbox.get(`/messages/m1?format=full&fields=${encodeURIComponent(fields)}`);
    expect(Object.keys(response).sort()).toEqual(['id', 'labelIds', 'payload']);
    expect(response.payload.parts[1]).toEqual({ filename: 'report.pdf', body: { size: MB } });
    expect(response.payload.headers).toContainEqual({ name: 'Subject' });
  });

  it('escapes snippets and adds list headers, as Gmail does', async () => {
    const { url } = await startSandbox([
      mailboxOf(
        message('m1', {
          text: `Tom & "Jerry" <3`,
          headers: [{ name: 'List-Unsubscribe', value: '<https://shop.example/leave>' }],
        }),
      ),
    ]);
    const response = await (await openMailbox(url)).get('/messages/m1');
    expect(response.snippet).toBe('Tom &amp; &quot;Jerry&quot; &lt;3');
    expect(response.payload.headers).toContainEqual({
      name: 'List-Unsubscribe',
      value: '<https://shop.example/leave>',
    });
  });

  it('moves a message to the trash by its labels, and shows that in the history', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'), message('m2'))]);
    const mailbox = await openMailbox(url);
    const { historyId } = await mailbox.get('/profile');
    const change = { addLabelIds: ['TRASH'], removeLabelIds: ['INBOX'] };
    const changed = await (await mailbox.call('POST', '/messages/m1/modify', change)).json();
    expect(changed).toMatchObject({ id: 'm1', labelIds: ['TRASH'] });
    expect(await mailbox.search('in:trash')).toEqual(['m1']);
    expect(await mailbox.search('')).toEqual(['m2']);
    const { history } = await mailbox.get(`/history?startHistoryId=${historyId}`);
    expect(history).toMatchObject([
      { labelsAdded: [{ message: { id: 'm1' }, labelIds: ['TRASH'] }] },
      { labelsRemoved: [{ message: { id: 'm1' }, labelIds: ['INBOX'] }] },
    ]);
  });

  it('changes many messages at once, leaving unknown ones out of the history', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'), message('m2'))]);
    const mailbox = await openMailbox(url);
    const { historyId } = await mailbox.get('/profile');
    const change = { ids: ['m1', 'nowhere', 'm2'], removeLabelIds: ['INBOX'] };
    expect((await mailbox.call('POST', '/messages/batchModify', change)).status).toBe(204);
    const { history } = await mailbox.get(`/history?startHistoryId=${historyId}`);
    const ids = history.flatMap((record: { messages: { id: string }[] }) =>
      record.messages.map(({ id }) => id),
    );
    expect(ids.sort()).toEqual(['m1', 'm2']);
  });

  it('finds the mailbox after a restart as users left it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mailsweep-sandbox-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const changesFile = join(folder, 'changes.json');
    const seeds = [mailboxOf(message('m1'), message('m2'), message('m3'))];
    const before = await startSandbox(seeds, { changesFile });
    const mailbox = await openMailbox(before.url, ADA.email, FULL_SCOPE);
    const label = (await (await mailbox.call('POST', '/labels', { name: 'Mailsweep/bulk' })).json()) as {
      id: string;
    };
    await mailbox.call('POST', '/messages/m1/modify', { addLabelIds: [label.id], removeLabelIds: ['INBOX'] });
    await mailbox.call('DELETE', '/messages/m2');
    await before.close();

    const after = await openMailbox((await startSandbox(seeds, { changesFile })).url);
    expect((await after.get('/messages/m1')).labelIds).toEqual([label.id]);
    expect((await after.call('GET', '/messages/m2')).status).toBe(404);
    expect((await after.get('/messages/m3')).labelIds).toEqual(['INBOX']);
    expect((await after.get('/labels')).labels).toContainEqual(
      expect.objectContaining({ id: label.id, name: 'Mailsweep/bulk' }),
    );
  });

  it('has no history from before its start: an older id has expired (404), a malformed one is refused (400)', async () => {
    const seeds = [mailboxOf(message('m1'))];
    const before = await startSandbox(seeds);
    const { historyId } = await (await openMailbox(before.url)).get('/profile');
    await before.close();
    const nowMs = () => Date.parse('2026-06-15T12:00:00.001Z');
    const mailbox = await openMailbox((await startSandbox(seeds, { nowMs })).url);
    expect((await mailbox.call('GET', `/history?startHistoryId=${historyId}`)).status).toBe(404);
    expect((await mailbox.call('GET', '/history?startHistoryId=new')).status).toBe(400);
    const present = (await mailbox.get('/profile')).historyId;
    expect((await mailbox.call('GET', `/history?startHistoryId=${present}`)).status).toBe(200);
  });

  it.each([
    ['/messages?pageToken=next', 400],
    ['/messages?q=larger:1M&pageToken=-1', 400],
    ['/messages?pageToken=', 200],
  ])('refuses a page token that it never gave out; an empty one is none: %s', async (path, status) => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    expect((await (await openMailbox(url)).call('GET', path)).status).toBe(status);
  });

  it('has its newest message at the end of the history, and its history ids in the order of arrival', async () => {
    const { url } = await startSandbox([
      mailboxOf(
        message('newest', { ageDays: 1 }),
        message('oldest', { ageDays: 9 }),
        message('old', { ageDays: 5 }),
      ),
    ]);
    const mailbox = await openMailbox(url);
    const ids = ['oldest', 'old', 'newest'].map(async (id) =>
      BigInt((await mailbox.get(`/messages/${id}`)).historyId),
    );
    const [first = 0n, second = 0n, third = 0n] = await Promise.all(ids);
    expect([first < second, second < third]).toEqual([true, true]);
    expect(String(third)).toBe((await mailbox.get('/profile')).historyId);
    expect((await mailbox.call('GET', `/history?startHistoryId=${third}`)).status).toBe(200);
  });

  it('keeps one user out of the mailbox of another', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1')), { user: GRACE, labels: [], messages: [] }]);
    const grace = await openMailbox(url, GRACE.email);
    expect((await grace.call('GET', '/messages/m1')).status).toBe(404);
    expect(await grace.get('/messages')).toEqual({ resultSizeEstimate: 0 });
    const headers = { authorization: grace.authorization };
    expect((await fetch(`${url}/gmail/v1/users/ada@example.com/messages`, { headers })).status).toBe(404);
  });
});
