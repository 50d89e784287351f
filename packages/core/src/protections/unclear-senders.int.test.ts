import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BenchProcess } from '../testing/bench-process.ts';
import { openSandboxBench, type SandboxBench, seedMessage } from '../testing/sandbox-bench.ts';

const seed = (id: string, minutesAgo: number, from: string) => ({
  ...seedMessage(id, minutesAgo, ['INBOX']),
  from,
});

let bench: SandboxBench;
let one: BenchProcess;
beforeEach(async () => {
  bench = await openSandboxBench(
    [
      seed('shop', 1, 'Shop <news@shop.example>'),
      seed('comment', 2, 'news@shop.example (Shop News)'),
      seed('stranger', 3, 'x@evil.example (=?utf-8?Q?=3Cnews=40shop.example=3E?=)'),
      seed('unclear', 4, 'Shop <news@shop.example> <x@evil.example>'),
      seed('together', 5, 'B <b@other.example>, Shop <news@shop.example>'),
    ],
    {},
  );
  one = bench.openProcess();
  await one.list({ scope: 'all' });
  const suggestions = [{ action: 'archive', classification: 'bulk', confidence_score: 0.9 }];
  await bench.storeSuggestionsOf({ shop: suggestions, stranger: suggestions, unclear: suggestions });
});
afterEach(() => bench.close());

const senderOf = async (emailId: string) => {
  const { data } = await one.listSenders();
  for (const { id } of data) {
    if ((await one.listSenderEmails(id)).some((email) => email.id === emailId)) return id;
  }
  return undefined;
};

test('an email belongs to its first author, and one of an unclear sender to nobody', async () => {
  const { data } = await one.listSenders();
  expect(data.map(({ from, mails }) => [from, mails])).toEqual(
    expect.arrayContaining([
      ['Shop <news@shop.example>', 2],
      ['"<news@shop.example>" <x@evil.example>', 1],
      ['B <b@other.example>, Shop <news@shop.example>', 1],
    ]),
  );
  expect(data).toHaveLength(3);
  const { emails } = await one.list({ scope: 'all' });
  expect(emails.filter(({ isSenderUnclear }) => isSenderUnclear).map(({ id }) => id)).toEqual(['unclear']);
});

test('an email of an unclear sender gets no suggestion and no bulk action', async () => {
  const { data } = await one.listStoredSuggestions({});
  expect(data.map(({ id }) => id)).toEqual(['shop', 'stranger']);
  for (const action of ['archive', 'mark_unread'] as const) {
    const plan = await one.cleanups.plan({
      action,
      selection: { type: 'filter', scope: 'inbox', except: [] },
    });
    expect(plan).toMatchObject({ total: 4, excluded: { unclear_sender: 1 } });
  }
});

test('an email is protected by the domain of any of its authors', async () => {
  await one.protections.protectByName('shop.example');
  const plan = await one.cleanups.plan({
    action: 'archive',
    selection: { type: 'filter', scope: 'inbox', except: [] },
  });
  expect(plan).toMatchObject({ total: 1, excluded: { protected: 3, unclear_sender: 1 } });
  const stranger = await senderOf('stranger');
  expect(await one.findSender(stranger ?? '')).toMatchObject({ protected: false, takes: { archive: 1 } });
});

test('what is suggested for an email that fails DMARC is never sure', async () => {
  const sender = (await senderOf('shop')) ?? '';
  await bench.query(
    `INSERT INTO "SenderAcceptance" ("userId", "senderKey", "action", "classification", "decided", "accepted", "confidence", "decidedAt")
     SELECT "userId", "senderKey", 'archive', 'bulk', 99, 99, 90, now() FROM "CachedMessage" WHERE "emailId" = 'shop'`,
  );
  const totals = async () => {
    const { confidence } = await one.listSuggestionGroups({ by: 'sender' });
    return { sure: confidence.sure, likely: confidence.likely };
  };
  expect(await totals()).toEqual({ sure: 1, likely: 1 });
  await bench.query(`UPDATE "CachedMessage" SET "failsDmarc" = true WHERE "emailId" = 'shop'`);
  expect(await totals()).toEqual({ sure: 0, likely: 2 });
  expect(await one.findSender(sender)).toMatchObject({ failsDmarc: true });
});

test('messages whose From an earlier version has read are fetched again', async () => {
  await bench.query(
    `UPDATE "CachedMessage" SET "generation" = 0, "senderKey" = '\\x01' WHERE "emailId" = 'stranger'`,
  );
  await bench.query('UPDATE "MailboxSync" SET "generation" = "generation" + 1');
  expect((await one.listSenders()).complete).toBe(false);
  await one.list({ scope: 'all' });
  expect(await senderOf('stranger')).toMatch(/^[0-9a-f]{64}$/);
});
