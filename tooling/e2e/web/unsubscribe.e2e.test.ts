import { text } from 'node:stream/consumers';
import type { Sender, Unsubscribe } from '@mailsweep/contracts';
import { openDatabase } from '@mailsweep/database';
import { startHttpsServer } from '@mailsweep/service-kit/testing';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = 'ada@example.com';
const LONG_WAIT = { timeout: 90_000 };
const PHONE = { width: 320, height: 640 };

describe.skipIf(!hasChromium)(`unsubscribing in a browser${skipReason}`, { timeout: 180_000 }, () => {
  test('asks with the host, sends one request, and says that it was accepted', async () => {
    const sender = await findSender(({ method }) => method === 'one_click');
    await openSheet(sender);
    await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe…' }).click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByText('Details', { exact: true }).click();
    await dialog.getByText('localhost').waitFor();
    expect(received).toEqual([]);
    expect(await findAccessibilityFaults(page)).toEqual([]);

    await dialog.getByRole('button', { name: 'Unsubscribe', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Unsubscribe' });
    await panel.getByText('Unsubscribed', { exact: true }).waitFor(LONG_WAIT);
    expect(received).toEqual([
      {
        method: 'POST',
        path: expect.stringMatching(/^\/u\/[0-9a-f]{32}$/),
        body: 'List-Unsubscribe=One-Click',
      },
    ]);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await openSheet(sender);
    await panel.getByText('Unsubscribed', { exact: true }).waitFor();
    expect((await listSenders()).find(({ id }) => id === sender.id)?.unsubscribe).toMatchObject({
      state: 'accepted',
      status: 200,
    });
    expect(received).toHaveLength(1);
  });

  test('shows where links of a sender lead, and calls none of them', async () => {
    const sender = await findSender(({ method, mailto }) => method === 'manual' && mailto !== null);
    received.length = 0;
    await page.setViewportSize(PHONE);
    await openSheet(sender);
    await page.getByRole('button', { name: 'How to unsubscribe…' }).click();
    const dialog = page.getByRole('dialog').last();
    const link = dialog.getByRole('link', { name: /^Write to / });
    expect(await link.getAttribute('href')).toBe(sender.unsubscribe?.mailto);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    await dialog.getByRole('button', { name: 'Done' }).click();
    const panel = page.getByRole('region', { name: 'Unsubscribe' });
    await panel.getByText('Unsubscribe by hand', { exact: true }).waitFor();
    expect(received).toEqual([]);
  });

  test('unsubscribes from several senders and archives their email, in one go', async () => {
    const [first, second] = (await listSenders()).filter(
      ({ unsubscribe, inInbox }) =>
        unsubscribe?.method === 'one_click' && unsubscribe.state === null && inInbox > 0,
    );
    if (first === undefined || second === undefined) throw new Error('too few newsletters');
    received.length = 0;
    await page.goto('/senders');
    for (const { id } of [first, second])
      await page.locator(`[data-row-id="${id}"]`).getByRole('checkbox').check();
    const count = first.inInbox + second.inInbox;
    await page.getByRole('button', { name: `Unsubscribe and archive ${count}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe from 2 senders' }).click();
    await page
      .getByText(/emails archived/)
      .first()
      .waitFor(LONG_WAIT);
    await expect
      .poll(async () => (await statesOf([first.id, second.id])).join(), LONG_WAIT)
      .toBe('accepted,accepted');
    expect(received).toHaveLength(2);
    await page.locator(`[data-row-id="${first.id}"]`).getByText('Unsubscribed').waitFor(LONG_WAIT);
  });

  test('lists who still sends, and makes a rule by one click, on a phone', async () => {
    const database = openDatabase({ databaseUrl: web.stack.database });
    await database.unsubscribe.updateMany({
      where: { state: 'accepted' },
      data: { reachedAt: new Date('2000-01-01') },
    });
    await database.$disconnect();
    await page.setViewportSize(PHONE);
    await page.goto('/senders');
    await page.getByText(/^0 of 3 senders that you unsubscribed from stopped sending\./).waitFor();
    await page.getByRole('link', { name: 'Show who still sends' }).click();
    await page.getByRole('heading', { name: 'Still sending' }).waitFor();
    const archive = page.getByRole('button', { name: /^Always archive/ });
    await expect.poll(() => archive.count()).toBe(3);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await archive.first().click();
    await page.getByRole('link', { name: /^Archive email from / }).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect.poll(() => archive.count()).toBe(3);
  });
});

const received: { method: string | undefined; path: string | undefined; body: string }[] = [];
let server: Awaited<ReturnType<typeof startHttpsServer>> | undefined;

// A stack of its own: its email leads to a server of this test.
const web = useWebStack(async () => {
  server = await startHttpsServer(['localhost'], async (request, response) => {
    received.push({ method: request.method, path: request.url, body: await text(request) });
    response.end();
  });
  return {
    SANDBOX_UNSUBSCRIBE_ORIGIN: `https://localhost:${server.port}`,
    ALLOW_PRIVATE_ADDRESSES: 'webhook,unsubscribe',
    NODE_EXTRA_CA_CERTS: server.certPath,
  };
});
afterAll(() => server?.close());

let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await signInAt(page, '/inbox', USER);
  await scan();
});

const askApi = async <T>(path: string): Promise<T> =>
  (await page.request.get(`${web.stack.api}${path}`)).json() as Promise<T>;
const listSenders = async () => (await askApi<{ data: Sender[] }>('/api/v1/senders?perPage=100')).data;

/** Reads the whole mailbox, once. */
const scan = async () => {
  if ((await askApi<{ complete: boolean }>('/api/v1/senders')).complete) return;
  await page.request.post(`${web.stack.api}/api/v1/scans`, { data: {} });
  await expect
    .poll(async () => (await askApi<{ complete: boolean }>('/api/v1/senders')).complete, LONG_WAIT)
    .toBe(true);
};

const findSender = async (isMeant: (unsubscribe: Unsubscribe) => boolean): Promise<Sender> => {
  const found = (await listSenders()).find(({ unsubscribe }) => unsubscribe !== null && isMeant(unsubscribe));
  if (found === undefined) throw new Error('the seed has no such sender');
  return found;
};

const statesOf = async (ids: readonly string[]) => {
  const senders = await listSenders();
  return ids.map((id) => senders.find((sender) => sender.id === id)?.unsubscribe?.state);
};

/** Opens the sheet of a sender from the list, in which only the rows in sight exist. */
const openSheet = async ({ id, from }: Sender): Promise<void> => {
  await page.goto(`/senders?find=${encodeURIComponent(/<(.*)>/.exec(from)?.[1] ?? from)}`);
  // At its beginning: in a narrow window the buttons of a row, which come under a mouse, lie over the rest.
  const name = page.locator(`[data-row-id="${id}"]`).getByRole('gridcell').nth(1);
  await name.click({ position: { x: 20, y: 10 } });
};
