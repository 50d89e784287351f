import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { MailboxSeed } from '../mailbox/mailbox-seed.ts';
import { submitForm } from '../testing/sign-in-pages.ts';
import {
  beginSignIn,
  openMailbox,
  signIn,
  startSandbox,
  toAuthorizationUrl,
} from '../testing/test-sandbox.ts';
import { seedMailboxes, toCopiedMailbox } from './seed-mailboxes.ts';

const SEEDED_AT_MS = Date.parse('2026-06-15T12:00:00Z');
const COPY = 'grace+one@example.com';
const startSeeded = (more: Parameters<typeof startSandbox>[1] = {}) =>
  startSandbox(seedMailboxes(SEEDED_AT_MS), { copyMailbox: toCopiedMailbox, ...more });

it('a copy has the same mail as the original, with ids of its own', () => {
  const [, original] = seedMailboxes(SEEDED_AT_MS);
  const copy = toCopiedMailbox(COPY)?.write(SEEDED_AT_MS);
  const facts = (mailbox?: MailboxSeed) =>
    mailbox?.messages.map(({ subject, receivedAtMs, labels }) => ({ subject, receivedAtMs, labels }));
  expect(facts(copy)).toEqual(facts(original));
  const ids = new Set(original?.messages.map(({ id }) => id));
  expect(copy?.messages.filter(({ id }) => ids.has(id))).toEqual([]);
});

it.each(['grace@example.com', 'nobody+one@example.com', 'grace+@example.com', 'grace+a+b@example.org'])(
  'there is no copy for %s',
  (email) => expect(toCopiedMailbox(email)).toBeUndefined(),
);

it('someone with the address of a copy signs in, and changes no other mailbox', async () => {
  const { url } = await startSeeded();
  const copy = await openMailbox(url, COPY);
  expect(await copy.get('/profile')).toMatchObject({ emailAddress: COPY });
  const { authorization } = copy;
  const userinfo = await fetch(`${url}/oauth2/v2/userinfo`, { headers: { authorization } });
  expect(await userinfo.json()).toMatchObject({ email: COPY, name: 'Grace Hopper' });
  const { id_token } = await signIn(url, COPY);
  expect(JSON.parse(Buffer.from(id_token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
    email: COPY,
    name: 'Grace Hopper',
  });

  const [original, other] = [
    await openMailbox(url, 'grace@example.com'),
    await openMailbox(url, 'grace+two@example.com'),
  ];
  const inboxes = async () => [
    (await original.search('in:inbox')).length,
    (await other.search('in:inbox')).length,
  ];
  const before = await inboxes();
  const [id = ''] = await copy.search('in:inbox');
  await copy.call('POST', `/messages/${id}/modify`, { removeLabelIds: ['INBOX'] });
  expect(await inboxes()).toEqual(before);
  expect(await copy.search('in:inbox')).toHaveLength((before[0] ?? 0) - 1);
});

it('an address without an account is refused where it is typed', async () => {
  const { url } = await startSeeded();
  const page = await (await fetch(toAuthorizationUrl(url, beginSignIn().query))).text();
  const type = (email: string) => submitForm(url, page, 'type="email"', [['email', email]]);
  expect((await type('nobody+one@example.com')).status).toBe(400);
  expect(await (await type('Grace+One@Example.com')).text()).toContain(COPY);
});

it('a copy is as its user left it after a restart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'copied-mailbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const changesFile = join(folder, 'changes.json');
  const before = await startSeeded({ changesFile, nowMs: () => SEEDED_AT_MS });
  const { authorization, search, call } = await openMailbox(before.url, COPY);
  const [id = ''] = await search('in:inbox');
  await call('POST', `/messages/${id}/modify`, { removeLabelIds: ['INBOX'] });
  await before.close();

  const { url } = await startSeeded({ changesFile, nowMs: () => SEEDED_AT_MS });
  const message = await fetch(`${url}/gmail/v1/users/me/messages/${id}?format=minimal`, {
    headers: { authorization },
  });
  expect(((await message.json()) as { labelIds: string[] }).labelIds).not.toContain('INBOX');
});
