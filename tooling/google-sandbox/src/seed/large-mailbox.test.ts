import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { GRACE, mailboxOf, message, openMailbox, startSandbox } from '../testing/test-sandbox.ts';
import { toLargeMailbox } from './seed-mailboxes.ts';

const SEEDED_AT_MS = Date.parse('2026-06-15T12:00:00Z');
const SEEDS = [mailboxOf(message('m1'))];

/** A mailbox that is made late; how large it is does not matter here. */
const createLateMailbox = () => ({
  user: GRACE,
  write: vi.fn(() => ({
    user: GRACE,
    labels: [{ id: 'Label_1', name: 'Own' }],
    messages: [message('g1', { to: GRACE.email }), message('g2', { to: GRACE.email, ageDays: 2 })],
  })),
});

it('a large mailbox has about 10,000 emails of many senders, the same each time', () => {
  const { messages } = toLargeMailbox().write(SEEDED_AT_MS);
  expect(messages.length).toBeGreaterThan(9_000);
  expect(messages.length).toBeLessThan(11_000);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
  expect(new Set(messages.map(({ from }) => from)).size).toBeGreaterThan(100);
  const again = toLargeMailbox().write(SEEDED_AT_MS).messages;
  expect(JSON.stringify(again) === JSON.stringify(messages)).toBe(true);
});

it('a late mailbox is made once, when its user signs in, and is a mailbox like any other', async () => {
  const lateMailbox = createLateMailbox();
  const { url } = await startSandbox(SEEDS, { lateMailbox });
  const ada = await openMailbox(url);
  expect(await ada.search('in:inbox')).toEqual(['m1']);
  expect(lateMailbox.write).not.toHaveBeenCalled();

  const grace = await openMailbox(url, GRACE.email);
  expect(lateMailbox.write).toHaveBeenCalledTimes(1);
  expect(await grace.search('in:inbox')).toEqual(['g1', 'g2']);
  expect(await grace.get('/profile')).toMatchObject({ emailAddress: GRACE.email, messagesTotal: 2 });
  const { historyId } = await grace.get('/profile');
  await grace.call('POST', '/messages/g1/modify', { removeLabelIds: ['INBOX'] });
  expect((await grace.get(`/history?startHistoryId=${historyId}`)).history).toHaveLength(1);
  expect(await ada.search('in:inbox')).toEqual(['m1']);
  expect(lateMailbox.write).toHaveBeenCalledTimes(1);
});

it('a late mailbox is as its user left it after a restart, also where nobody signs in again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'late-mailbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const options = { lateMailbox: createLateMailbox(), changesFile: join(folder, 'changes.json') };
  const before = await startSandbox(SEEDS, options);
  const { authorization, call } = await openMailbox(before.url, GRACE.email);
  await call('POST', '/messages/g1/modify', { addLabelIds: ['Label_1'], removeLabelIds: ['INBOX'] });
  await before.close();

  const { url } = await startSandbox(SEEDS, options);
  const response = await fetch(`${url}/gmail/v1/users/me/messages/g1`, { headers: { authorization } });
  expect(await response.json()).toMatchObject({ id: 'g1', labelIds: ['Label_1'] });
});
