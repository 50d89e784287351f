import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@mailsweep/service-kit/testing';
import { expect, it, onTestFinished } from 'vitest';
import {
  ADA,
  CLIENT,
  FULL_SCOPE,
  mailboxOf,
  message,
  openMailbox,
  orderFault,
  postToken,
  signIn,
  startSandbox,
} from './testing/test-sandbox.ts';

const DAY_MS = 86_400_000;
const TO_TRASH = { addLabelIds: ['TRASH'], removeLabelIds: ['INBOX'] };
const MESSAGES = [1, 2, 3, 4].map((age) => message(`m${age}`, { ageDays: age }));
type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** A file that outlives its sandboxes, each of which ends where the next begins. */
const setUp = () => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-restart-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const changesFile = join(folder, 'changes.json');
  let nowMs = Date.parse('2026-06-15T12:00:00Z');
  let running: Awaited<ReturnType<typeof startSandbox>> | undefined;
  const restart = async (): Promise<string> => {
    await running?.close();
    running = await startSandbox([mailboxOf(...MESSAGES)], {
      changesFile,
      accessTokenTtlSeconds: 31_536_000,
      nowMs: () => nowMs,
    });
    return running.url;
  };
  return {
    changesFile,
    advance(ms: number) {
      nowMs += ms;
    },
    restart,
    reopen: async () => openMailbox(await restart(), ADA.email, FULL_SCOPE),
  };
};

/** All that a client sees of a mailbox and, from some point on, of its history. */
const readAll = async (mailbox: Mailbox, start: string) => {
  const { messages } = await mailbox.get('/messages?includeSpamTrash=true');
  const ids: string[] = messages.map(({ id }: { id: string }) => id);
  return {
    profile: await mailbox.get('/profile'),
    history: await mailbox.get(`/history?startHistoryId=${start}`),
    messages: await Promise.all(ids.map((id) => mailbox.get(`/messages/${id}?format=full`))),
    thread: await mailbox.get('/threads/thread-m1'),
  };
};

it('a restart changes nothing that a client sees: messages, labels, history, ids', async () => {
  const { restart, reopen, advance } = setUp();
  const url = await restart();
  const mailbox = await openMailbox(url, ADA.email, FULL_SCOPE);
  const { historyId: start } = await mailbox.get('/profile');
  await mailbox.call('POST', '/messages/m1/modify', TO_TRASH);
  await orderFault(url, { kind: 'lose_history_records', method: 'POST', records: 9 });
  await mailbox.call('POST', '/messages/m2/modify', { addLabelIds: ['STARRED'] });
  await mailbox.call('DELETE', '/messages/m4');
  const raw = 'From: Bob <bob@example.com>\r\nTo: ada@example.com\r\nSubject: Hi\r\n\r\nLunch?';
  const arrived = await mailbox.call('POST', '/messages', {
    raw: Buffer.from(raw).toString('base64url'),
    labelIds: ['INBOX', 'UNREAD'],
  });
  const { id } = (await arrived.json()) as { id: string };
  await mailbox.call('POST', `/messages/${id}/modify`, { removeLabelIds: ['UNREAD'] });
  const before = await readAll(mailbox, start);
  expect(before.history.history).toHaveLength(5);

  for (const laterMs of [0, DAY_MS]) {
    advance(laterMs);
    expect(await readAll(await reopen(), start)).toEqual(before);
  }
  const last = await reopen();
  const present = before.profile.historyId;
  await last.call('POST', '/messages/m3/modify', { addLabelIds: ['STARRED'] });
  const { history, historyId } = await last.get(`/history?startHistoryId=${present}`);
  expect(history).toMatchObject([{ id: historyId, messages: [{ id: 'm3' }] }]);
  expect(BigInt(historyId)).toBeGreaterThan(BigInt(present));
});

it('the history goes back a week, and its present end is always known', async () => {
  const { reopen, advance } = setUp();
  let mailbox = await reopen();
  const ends: string[] = [];
  const statuses = async () => {
    const calls = ends.map((id) => mailbox.call('GET', `/history?startHistoryId=${id}`));
    return (await Promise.all(calls)).map(({ status }) => status);
  };
  for (const id of ['m1', 'm2', 'm3']) {
    ends.push((await mailbox.get('/profile')).historyId);
    await mailbox.call('POST', `/messages/${id}/modify`, TO_TRASH);
    advance(3 * DAY_MS);
  }
  ends.push((await mailbox.get('/profile')).historyId);
  expect(await statuses()).toEqual([404, 404, 200, 200]);
  mailbox = await reopen();
  expect(await statuses()).toEqual([404, 404, 200, 200]);
  advance(30 * DAY_MS);
  mailbox = await reopen();
  expect(await statuses()).toEqual([404, 404, 404, 200]);
  expect((await mailbox.get('/profile')).historyId).toBe(ends[3]);
});

it('what users allowed, and took back, is remembered', async () => {
  const { restart } = setUp();
  const url = await restart();
  const { refresh_token } = await signIn(url);
  // A refresh token comes with consent alone.
  expect((await signIn(await restart())).refresh_token).toBeUndefined();

  const body = new URLSearchParams({ token: refresh_token });
  await fetch(`${await restart()}/oauth2/revoke`, { method: 'POST', body });
  const later = await restart();
  expect((await postToken(later, { grant_type: 'refresh_token', refresh_token })).status).toBe(400);
  expect((await signIn(later)).refresh_token).toBeDefined();
});

it('a line that a kill has cut off was told nobody; a file of an earlier release is read', async () => {
  const { reopen, changesFile } = setUp();
  const old = { seededAtMs: 0, labelsByMessage: { m1: ['TRASH'], m2: null }, labelsByPerson: {} };
  writeFileSync(changesFile, JSON.stringify(old));
  const mailbox = await reopen();
  expect(await mailbox.search('in:trash')).toEqual(['m1']);
  // Ids of that release had a digit less.
  const formerId = `${Date.parse('2026-06-15T12:00:00Z')}${'9'.repeat(9)}`;
  expect((await mailbox.call('GET', `/history?startHistoryId=${formerId}`)).status).toBe(404);

  await mailbox.call('POST', '/messages/m3/modify', TO_TRASH);
  const { historyId } = await mailbox.get('/profile');
  appendFileSync(changesFile, '{"labelsByMessage":{"m4":["TR');
  const again = await reopen();
  expect((await again.search('in:trash')).toSorted()).toEqual(['m1', 'm3']);
  expect((await again.get('/profile')).historyId).toBe(historyId);
  expect(readFileSync(changesFile, 'utf8')).toMatch(/^\{.*\}\n$/);
});

it('kill -9 takes nothing back that a client was told', { timeout: 120_000 }, async () => {
  const { changesFile } = setUp();
  const main = fileURLToPath(new URL('./main.ts', import.meta.url));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const options = {
    port: `${port}`,
    accounts: ADA.email,
    clients: JSON.stringify([CLIENT]),
    'changes-file': changesFile,
    'token-key': Buffer.alloc(32, 7).toString('base64'),
  };
  const start = async () => {
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return { child, mailbox: await openMailbox(url) };
  };

  let running = await start();
  const { historyId: first } = await running.mailbox.get('/profile');
  const told = new Map<string, string[]>();
  const seen = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    const { child, mailbox } = running;
    const { messages } = await mailbox.get(`/messages?q=in:inbox -is:starred&maxResults=40`);
    const exited = once(child, 'exit');
    let isKilled = false;
    const changes = messages.map(async ({ id }: { id: string }, index: number) => {
      const response = await mailbox.call('POST', `/messages/${id}/modify`, { addLabelIds: ['STARRED'] });
      told.set(id, ((await response.json()) as { labelIds: string[] }).labelIds);
      for (const { id: record } of (await mailbox.get(`/history?startHistoryId=${first}`)).history)
        seen.add(record);
      if (index === 10 && !isKilled) isKilled = child.kill('SIGKILL');
    });
    await Promise.allSettled(changes);
    await exited;
    running = await start();
    const again = running.mailbox;
    const { history, historyId } = await again.get(`/history?startHistoryId=${first}&maxResults=500`);
    const ids: string[] = history.map(({ id }: { id: string }) => id);
    expect([...seen].filter((id) => !ids.includes(id))).toEqual([]);
    expect(historyId).toBe(ids.at(-1));
    for (const [id, labels] of told) {
      expect((await again.get(`/messages/${id}?format=minimal`)).labelIds.toSorted()).toEqual(
        labels.toSorted(),
      );
    }
  }
  expect(told.size).toBeGreaterThan(10);
});
