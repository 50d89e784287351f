import type { ActionBatch } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = 'ada@example.com';
const COUNT = 839;
/** The sandbox counts quota units as Gmail does. */
const LONG_WAIT = { timeout: 120_000 };

describe.skipIf(!hasChromium)(`a large batch in the history${skipReason}`, { timeout: 300_000 }, () => {
  test('is one entry, also after a reload, pages through its emails, and is undone by one click', async () => {
    await archive(await listIds(COUNT));
    await page.goto('/history');
    for (const look of ['first', 'reloaded']) {
      if (look === 'reloaded') await page.reload();
      await entry().getByText(`Archived ${COUNT} emails`).waitFor();
      await entry()
        .locator('bdi')
        .getByText(/, .* and others$/)
        .waitFor();
    }

    await entry().getByRole('button', { expanded: false }).click();
    const emails = entry().getByRole('link', { name: /./ });
    await expect.poll(() => emails.count()).toBe(50);
    await entry().getByRole('button', { name: 'Show 50 more' }).click();
    await expect.poll(() => emails.count()).toBe(100);

    await entry()
      .getByRole('button', { name: `Undo: Archived ${COUNT} emails` })
      .click();
    await toast(`Undone for ${COUNT} emails`).waitFor(LONG_WAIT);
    await entry().getByText('Undone', { exact: true }).waitFor();
    const batches = await ask<{ data: ActionBatch[] }>('/api/v1/notifications/history/batches');
    expect(batches.data).toMatchObject([{ total: COUNT, undone: COUNT, undo: { state: 'done', failed: 0 } }]);
  });
});

const toast = (text: string): Locator => page.getByRole('alert').getByText(text).first();
const entry = (): Locator => page.getByRole('main').getByRole('listitem').first();

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
  await signInAt(page, '/history', USER);
});
