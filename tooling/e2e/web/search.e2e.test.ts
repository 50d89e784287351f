import type { Email } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
/** The sandbox counts quota units as Gmail does. */
const LONG_WAIT = { timeout: 60_000 };

describe.skipIf(!hasChromium)(`a search of the whole mailbox${skipReason}`, { timeout: 120_000 }, () => {
  test('finds what the API finds, also what is not in the inbox, and Back leads to the list', async () => {
    const address = addressOf((await listEmails('scope=all&olderThan=365'))[0]);
    await field().fill(`from:${address}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(/scope=all/);
    const expected = await listEmails(
      `scope=all&search=${encodeURIComponent(`from:${address}`)}&pageSize=30`,
    );
    await expect.poll(() => rows().first().getAttribute('data-row-id'), LONG_WAIT).toBe(expected[0]?.id);
    await page.getByRole('heading', { level: 1, name: 'All mail' }).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);

    await page.reload();
    await rows().first().waitFor(LONG_WAIT);
    expect(await field().inputValue()).toBe(`from:${address}`);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    // What was typed before Enter does not narrow the list again.
    expect(await field().inputValue()).toBe('');
  });

  test('finds by all that a row says while the user types', async () => {
    const shown = await listEmails('pageSize=30');
    const [email, word] = shown
      .map((one) => [one, findWordOfSnippet(one)] as const)
      .find(([, found]) => found !== undefined) ?? [undefined, ''];
    await field().fill(word ?? '');
    await page.locator(`[data-row-id="${email?.id}"]`).waitFor();
    await expect.poll(() => rows().count()).toBeLessThan(shown.length);
  });

  test('goes together with the filters, and every email that matches can be archived', async () => {
    await page.goto('/inbox?category=promotions');
    await rows().first().waitFor(LONG_WAIT);
    await field().fill('older_than:180d');
    await page.getByRole('button', { name: 'Search all mail' }).first().click();
    await page.waitForURL(/category=promotions/);
    await page.getByRole('combobox', { name: 'Place' }).selectOption({ label: 'Inbox' });
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await rows()
      .nth(20)
      .waitFor({ ...LONG_WAIT, state: 'attached' });
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: /^Select all/ }).click();
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Archive [\d,]+ emails\?$/).waitFor(LONG_WAIT);
    const cleanups = await page.request.get(`${web.stack.api}/api/v1/cleanups`);
    expect((await cleanups.json()).data[0].selection).toEqual({
      type: 'filter',
      scope: 'inbox',
      category: 'promotions',
      search: 'older_than:180d',
      except: [],
    });
  });

  test('without a result says so, and a wrong one says what is wrong', async () => {
    await field().fill('zzzzqqq');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No email matches “zzzzqqq”' }).waitFor(LONG_WAIT);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await field().fill('"tax');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText('"tax has a quotation mark without its counterpart.')
      .waitFor(LONG_WAIT);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.getByRole('main').getByRole('button', { name: 'Clear the search' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await rows().first().waitFor(LONG_WAIT);
  });

  test('begins in the command palette, too, which shows senders and the newest emails', async () => {
    const email = (await listEmails('category=promotions'))[0];
    const address = addressOf(email);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Command' }).fill(address);
    await page.getByRole('group', { name: 'Emails' }).getByRole('option').first().waitFor(LONG_WAIT);
    await page.getByRole('group', { name: 'Senders' }).getByText(address).waitFor(LONG_WAIT);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/inbox\?.*q=/);
    await rows().first().waitFor(LONG_WAIT);
    expect(await field().inputValue()).toBe(address);
  });
});

const field = (): Locator => page.getByRole('searchbox', { name: 'Search the mailbox' });
const rows = (): Locator => page.locator('[role=row]');
const addressOf = (email: Email | undefined): string => /<(.+)>/.exec(email?.from ?? '')?.[1] ?? '';

/** A word that only the text of an email has. */
const findWordOfSnippet = ({ from, subject, snippet }: Email): string | undefined =>
  snippet.match(/[a-z]{6,}/g)?.find((word) => !`${from} ${subject}`.toLowerCase().includes(word));

const listEmails = async (query: string): Promise<Email[]> => {
  const response = await page.request.get(`${web.stack.api}/api/v1/emails?${query}`);
  return ((await response.json()) as { emails: Email[] }).emails;
};

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (opened) => {
  page = opened;
  await web.openAs(page, '/inbox', USER);
  await rows().first().waitFor(LONG_WAIT);
});
