import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

describe.skipIf(!hasChromium)(`the API documentation in a browser${skipReason}`, () => {
  test('executes operations with the session cookie of the browser', async () => {
    await page.goto(`${web.stack.api}/docs#/Account/getMe`);
    const operation = page.locator('#operations-Account-getMe');
    await operation.getByRole('button', { name: 'Execute' }).click();

    await expect.poll(() => operation.locator('.live-responses-table').textContent()).toContain(USER);
  });

  test('lists its sections in reading order, and shows an example for each kind of response', async () => {
    await page.goto(`${web.stack.api}/docs#/Mailbox/executeInboxAction`);
    const operation = page.locator('#operations-Mailbox-executeInboxAction');
    await operation.getByRole('button', { name: 'Execute' }).waitFor();
    const sections = await page.locator('h3.opblock-tag').evaluateAll((tags) => tags.map(({ id }) => id));

    expect(sections.slice(0, 3)).toEqual([
      'operations-tag-Sign-in',
      'operations-tag-Mailbox',
      'operations-tag-Suggestions',
    ]);
    expect(await operation.getByRole('option', { name: 'One failed' }).count()).toBe(1);
    const samples = await operation.locator('.samples pre').allTextContents();
    expect(samples).toEqual([
      expect.stringMatching(/^curl .*\/api\/v1\/inbox\/actions/),
      expect.stringMatching(/^await client\.executeInboxAction\(\{\s+body: /),
    ]);
  });
});

const USER = ownUser('grace');
const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await web.openAs(page, '/settings', USER);
});
