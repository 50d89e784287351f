import type { ActionBatch, BatchSender } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
const COUNT = 839;
/** The sandbox counts quota units as Gmail does. */
const LONG_WAIT = { timeout: 120_000 };

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!hasChromium)(`undo after a reload${skipReason}`, () => {
  test('names the last action, by key and on another device, and undoes it once confirmed', async () => {
    const [first, second] = await listIds(2);
    await archive([String(first)]);
    await archive([String(second)]);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await page.keyboard.press('z');
    const offer = page.getByRole('dialog', { name: 'Undo the last action?' });
    await offer.getByText(/^Archived 1 email, just now/).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await offer.getByRole('button', { name: 'Cancel' }).last().click();
    expect(await readUndone()).toEqual([0, 0]);
    await page.keyboard.press('z');
    await offer.getByRole('button', { name: 'Undo' }).click();
    await toast('Undone for 1 email').waitFor();
    expect(await readUndone()).toEqual([1, 0]);

    const storageState = await page.context().storageState();
    const { page: phone, close } = await web.open({ ...PHONE, storageState });
    await phone.goto('/inbox');
    await phone.getByRole('button', { name: 'More', exact: true }).tap();
    await phone.getByRole('button', { name: 'Commands' }).tap();
    await phone.getByLabel('Command, sender or email').fill('undo last');
    await phone.getByRole('option', { name: /^Undo the last action/ }).tap();
    await phone
      .getByRole('dialog')
      .getByText(/^Archived 1 email/)
      .waitFor();
    await phone.getByRole('dialog').getByRole('button', { name: 'Undo' }).tap();
    await phone.getByRole('alert').getByText('Undone for 1 email').waitFor();
    expect(await readUndone()).toEqual([1, 1]);
    await close();
  });
});

describe.skipIf(!hasChromium)(`a large batch in the history${skipReason}`, { timeout: 300_000 }, () => {
  test('is one entry, also after a reload, pages through its emails, and is undone by one click', async () => {
    await archive(await listIds(COUNT));
    await page.goto('/history');
    for (const look of ['first', 'reloaded']) {
      if (look === 'reloaded') await page.reload();
      await entry().getByText(`Archived ${COUNT} emails`).waitFor();
      await entry()
        .getByText(/, .* and others$/)
        .waitFor();
    }

    await entry().getByRole('button', { expanded: false }).click();
    const senders = entry().getByRole('listitem').getByRole('button', { expanded: false });
    const [largest, ...others] = await readSenders();
    await expect.poll(() => senders.count()).toBe(1 + others.length);
    const name = parseName(String(largest?.from));
    await senders.filter({ hasText: name }).first().click();
    const emails = entry().getByRole('link', { name: /./ });
    await expect.poll(() => emails.count()).toBe(50);
    await entry()
      .getByRole('button', { name: /^Show \d+ more$/ })
      .click();
    await expect.poll(() => emails.count()).toBe(Math.min(100, Number(largest?.emails)));
    await expect.poll(() => entry().locator('li time').count()).toBe(await emails.count());
    await emails.first().scrollIntoViewIfNeeded();
    expect(await findAccessibilityFaults(page)).toEqual([]);

    const subject = await emails.first().textContent();
    await entry()
      .getByRole('button', { name: `Undo for ${subject}`, exact: true })
      .first()
      .click();
    await toast('Undone for 1 email').waitFor();
    await entry()
      .getByRole('button', { name: `Undo for ${Number(largest?.emails) - 1} emails from ${name}` })
      .click();
    await toast(`Undone for ${Number(largest?.emails) - 1} emails`).waitFor();
    expect((await readSenders())[0]).toMatchObject({ emails: largest?.emails, undone: largest?.emails });

    await entry()
      .getByRole('button', { name: `Undo: Archived ${COUNT} emails` })
      .click();
    await toast(`Undone for ${COUNT - Number(largest?.emails)} emails`).waitFor(LONG_WAIT);
    await entry().getByText('Undone', { exact: true }).waitFor();
    const batches = await ask<{ data: ActionBatch[] }>('/api/v1/notifications/history/batches?perPage=1');
    expect(batches.data).toMatchObject([{ total: COUNT, undone: COUNT, undo: { state: 'done', failed: 0 } }]);
  });

  test('is searched on a phone, where nothing overlaps, in German too', async () => {
    await archive(await listIds(100));
    const storageState = await page.context().storageState();
    const visitor = await web.open({
      ...PHONE,
      viewport: { width: 360, height: 740 },
      locale: 'de-DE',
      storageState,
    });
    const { page: phone } = visitor;
    await phone.goto('/history');
    await phone.getByText('100 E-Mails archiviert').first().waitFor();
    const controls = await phone.getByRole('search').locator('input, select').all();
    const boxes = await Promise.all(controls.map((control) => control.boundingBox()));
    for (const [index, one] of boxes.entries()) {
      expect((one?.x ?? 0) + (one?.width ?? 999)).toBeLessThanOrEqual(360);
      for (const other of boxes.slice(index + 1)) {
        if (!one || !other) throw new Error('a control is not drawn');
        const isApart = other.x >= one.x + one.width || other.y >= one.y + one.height;
        expect(isApart).toBe(true);
      }
    }
    const sender = (await readSenders())[0];
    const address = String(/<(.+)>/.exec(String(sender?.from))?.[1]);
    await phone.getByLabel('Verlauf durchsuchen').fill(address);
    await phone.waitForURL(/search=/);
    await phone
      .getByRole('main')
      .getByRole('listitem')
      .first()
      .getByRole('button', { expanded: false })
      .tap();
    const emails = phone.getByRole('main').getByRole('listitem').first().getByRole('link', { name: /./ });
    await expect.poll(() => emails.count()).toBe(Math.min(50, Number(sender?.emails)));
    expect(await findAccessibilityFaults(phone)).toEqual([]);
    await visitor.close();
  });
});

const toast = (text: string): Locator => page.getByRole('alert').getByText(text).first();
const entry = (): Locator => page.getByRole('main').getByRole('listitem').first();

const readUndone = async (): Promise<number[]> =>
  (await ask<{ data: ActionBatch[] }>('/api/v1/notifications/history/batches?perPage=2')).data.map(
    ({ undone }) => undone,
  );

/** The senders of the newest batch, most emails first. */
const readSenders = async () => {
  const path = '/api/v1/notifications/history/batches';
  const { data } = await ask<{ data: ActionBatch[] }>(`${path}?perPage=1`);
  return (await ask<{ data: BatchSender[] }>(`${path}/${data[0]?.id}/senders?perPage=100`)).data;
};
const parseName = (from: string): string => from.replace(/ <.*/, '');

const ask = async <Body>(path: string, body?: object): Promise<Body> => {
  const init = {
    headers: { 'content-type': 'application/json', origin: web.stack.web },
    ...(body && { data: body }),
    ...LONG_WAIT,
  };
  const response = await page.request[body ? 'post' : 'get'](web.stack.api + path, init);
  expect(response.status()).toBe(200);
  return (await response.json()) as Body;
};

/** The newest emails of the mailbox. */
const listIds = async (count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let token = ''; ids.length < count; ) {
    const query = `pageSize=100${token && `&pageToken=${encodeURIComponent(token)}`}`;
    const list = await ask<{ emails: { id: string }[]; nextPageToken: string }>(`/api/v1/emails?${query}`);
    ids.push(...list.emails.map(({ id }) => id));
    token = list.nextPageToken;
  }
  return ids.slice(0, count);
};

const archive = (emailIds: string[]) => ask('/api/v1/inbox/actions', { emailIds, action: 'archive' });

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await web.openAs(page, '/history', USER);
});
