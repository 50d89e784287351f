import type { Cleanup } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
/** The sandbox counts quota units as Gmail does. */
const LONG_WAIT = { timeout: 60_000 };

describe.skipIf(!hasChromium)(`every matching email${skipReason}`, () => {
  test('is archived after a look at the exact plan, though only a page is loaded, and comes back with Z', async () => {
    await page.getByRole('grid').focus();
    await selectEverything();
    await page.getByRole('button', { name: 'Archive' }).click();
    const dialog = page.getByRole('dialog');
    const title = dialog.getByText(/^Archive [\d,]+ emails\?$/);
    await title.waitFor(LONG_WAIT);
    const count = Number((await title.textContent())?.replaceAll(/\D/g, ''));
    expect(count).toBeGreaterThan(200);
    await dialog.getByText(/^No other email is touched\./).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    expect(await listCleanups()).toMatchObject([{ state: 'planned', total: count, processed: 0 }]);

    await dialog.getByRole('button', { name: /^Archive [\d,]+$/ }).click();
    await toast(`${count.toLocaleString('en-US')} emails archived`).waitFor(LONG_WAIT);
    expect(await listCleanups()).toMatchObject([{ state: 'completed', changed: count }]);
    await expect.poll(() => rows().count(), LONG_WAIT).toBeLessThan(30);

    await page.keyboard.press('z');
    await toast(`Undone: ${count.toLocaleString('en-US')} emails put back`).waitFor(LONG_WAIT);
    await expect.poll(() => rows().count(), LONG_WAIT).toBeGreaterThanOrEqual(20);
    expect(await listCleanups()).toMatchObject([{ undone: count }]);
  });

  test('is asked about before the key of the deletion does anything, and Cancel changes nothing', async () => {
    await selectEverything();
    await page.keyboard.press('#');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Move [\d,]+ emails to Trash\?$/).waitFor(LONG_WAIT);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    expect((await listCleanups()).map(({ state }) => state)).not.toContain('queued');
    expect((await listCleanups())[0]).toMatchObject({ state: 'planned', action: 'delete' });
  });
});

const rows = (): Locator => page.locator('[role=row]');
const toast = (text: string): Locator => page.getByRole('alert').getByText(text).first();

const selectEverything = async (): Promise<void> => {
  await page.keyboard.press('Control+a');
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('toolbar').getByText(', loaded or not').waitFor();
};

const listCleanups = async (): Promise<Cleanup[]> => {
  const response = await page.request.get(`${web.stack.api}/api/v1/cleanups`);
  return ((await response.json()) as { data: Cleanup[] }).data;
};

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (opened) => {
  page = opened;
  await web.openAs(page, '/inbox?category=promotions', USER);
  await rows().first().waitFor(LONG_WAIT);
});
