import { describe, expect, it } from 'vitest';
import {
  ADA,
  FULL_SCOPE,
  mailboxOf,
  message,
  openMailbox,
  READ_SCOPE,
  startSandbox,
} from '../testing/test-sandbox.ts';

const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { message: string } };
  return [response.status, error.message];
};

describe('changing messages', () => {
  it.each([
    ['/modify', { addLabelIds: ['STARRED'] }, ['INBOX', 'STARRED']],
    ['/trash', undefined, ['TRASH']],
    ['/untrash', undefined, ['INBOX']],
  ])('responds to %s with three fields', async (path, body, labelIds) => {
    const { url } = await startSandbox([mailboxOf(message('m1'))], {
      behaviour: { shortChangeResponses: true },
    });
    const response = await (await openMailbox(url)).call('POST', `/messages/m1${path}`, body);
    expect(await response.json()).toEqual({ id: 'm1', threadId: 'thread-m1', labelIds });
  });

  it('responds with the whole message and its history id where it is set to', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))], {
      behaviour: { shortChangeResponses: false },
    });
    const mailbox = await openMailbox(url);
    const response = await mailbox.call('POST', '/messages/m1/modify', { removeLabelIds: ['INBOX'] });
    const changed = (await response.json()) as object;
    expect(changed).toMatchObject({ id: 'm1', historyId: (await mailbox.get('/profile')).historyId });
    expect(changed).not.toHaveProperty('labelIds');
  });

  it('takes mail out of the inbox when it goes to the trash, and does not bring it back', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    await mailbox.call('POST', '/messages/m1/modify', { addLabelIds: ['TRASH'] });
    expect((await mailbox.get('/messages/m1')).labelIds).toEqual(['TRASH']);
    await mailbox.call('POST', '/messages/m1/untrash');
    expect(await mailbox.get('/messages/m1')).not.toHaveProperty('labelIds');
  });

  it.each([
    [{ removeLabelIds: ['SENT'] }, 'Invalid label: SENT'],
    [{ addLabelIds: ['DRAFT'] }, 'Invalid label: DRAFT'],
    [{ addLabelIds: ['INBOX', 'TRASH'] }, 'Can only add one of: INBOX, SPAM, TRASH'],
    [{}, 'No label add or removes specified'],
    [{ addLabelIds: ['Label_99'] }, 'labelId not found'],
    [{ removeLabelIds: ['Label_99'] }, 'labelId not found'],
  ])('refuses %j', async (change, text) => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    expect(await errorOf(await mailbox.call('POST', '/messages/m1/modify', change))).toEqual([400, text]);
    const batch = { ids: ['m1'], ...change };
    expect(await errorOf(await mailbox.call('POST', '/messages/batchModify', batch))).toEqual([400, text]);
    expect((await mailbox.get('/messages/m1')).labelIds).toEqual(['INBOX']);
  });

  it('refuses a batch of more than 1,000', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const ids = Array.from({ length: 1_001 }, (_, index) => `m${index}`);
    const change = { ids, removeLabelIds: ['INBOX'] };
    expect((await (await openMailbox(url)).call('POST', '/messages/batchModify', change)).status).toBe(400);
  });

  it('passes over an id of no message in a batch, and refuses one that can be none', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    const archive = async (...ids: string[]) =>
      (await mailbox.call('POST', '/messages/batchModify', { ids, removeLabelIds: ['INBOX'] })).status;
    expect(await archive('m1', 'not an id')).toBe(400);
    expect((await mailbox.get('/messages/m1')).labelIds).toEqual(['INBOX']);
    expect(await archive('m1', 'm2')).toBe(204);
    expect(await mailbox.get('/messages/m1')).not.toHaveProperty('labelIds');
  });

  it.each([
    ['refused', 400, 400, ['INBOX']],
    ['refused_alone', 400, 204, undefined],
    ['accepted', 200, 204, undefined],
  ] as const)('of which one is a draft: %s', async (draftChanges, alone, inBatch, labelsOfMail) => {
    const { url } = await startSandbox(
      [mailboxOf(message('mail'), message('draft', { labels: ['DRAFT'] }))],
      {
        behaviour: { draftChanges },
      },
    );
    const mailbox = await openMailbox(url);
    const change = { addLabelIds: [], removeLabelIds: ['INBOX'] };
    expect((await mailbox.call('POST', '/messages/draft/modify', change)).status).toBe(alone);
    const batch = { ids: ['mail', 'draft'], ...change };
    expect((await mailbox.call('POST', '/messages/batchModify', batch)).status).toBe(inBatch);
    expect((await mailbox.get('/messages/mail')).labelIds).toEqual(labelsOfMail);
  });

  it('takes as long for a batch as it is set to', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))], { behaviour: { batchModifyMs: 150 } });
    const mailbox = await openMailbox(url);
    const startedMs = performance.now();
    await mailbox.call('POST', '/messages/batchModify', { ids: ['m1'], removeLabelIds: ['INBOX'] });
    expect(performance.now() - startedMs).toBeGreaterThan(140);
  });

  it('lets a program with gmail.readonly read, and change nothing', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url, ADA.email, READ_SCOPE);
    expect((await mailbox.get('/messages/m1')).labelIds).toEqual(['INBOX']);
    for (const [path, body] of [
      ['/messages/m1/modify', { removeLabelIds: ['INBOX'] }],
      ['/messages/batchModify', { ids: ['m1'], removeLabelIds: ['INBOX'] }],
      ['/messages/m1/trash', undefined],
      ['/labels', { name: 'Test' }],
    ] as const) {
      const refused = await mailbox.call('POST', path, body);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({
        error: {
          errors: [{ reason: 'insufficientPermissions' }],
          details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
        },
      });
    }
    expect((await mailbox.get('/messages/m1')).labelIds).toEqual(['INBOX']);
  });

  it('lets a program with gmail.modify insert mail, but not delete any for good', async () => {
    const { url } = await startSandbox([mailboxOf(message('m1'))]);
    const mailbox = await openMailbox(url);
    const { id } = (await (await mailbox.call('POST', '/labels', { name: 'Test' })).json()) as { id: string };
    const raw = Buffer.from('From: a@b.example\nTo: ada@example.com\nSubject: test\n\nHello').toString(
      'base64url',
    );
    const inserted = await mailbox.call('POST', '/messages', { raw, labelIds: [id] });
    expect(inserted.status).toBe(200);
    expect(await inserted.json()).toMatchObject({ labelIds: [id] });
    for (const [method, path] of [
      ['DELETE', '/messages/m1'],
      ['POST', '/messages/batchDelete'],
    ] as const) {
      const refused = await mailbox.call(method, path, method === 'POST' ? { ids: ['m1'] } : undefined);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({
        error: {
          errors: [{ reason: 'insufficientPermissions' }],
          details: [{ reason: 'ACCESS_TOKEN_SCOPE_INSUFFICIENT' }],
        },
      });
    }
    const owner = await openMailbox(url, ADA.email, FULL_SCOPE);
    expect((await owner.call('DELETE', '/messages/m1')).status).toBe(204);
  });
});
