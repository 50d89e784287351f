import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

describe.skipIf(!hasChromium)(`without a network, in a browser${skipReason}`, () => {
  test('actions wait, and are carried out once when the network is back', async () => {
    const subject = await rows().first().getAttribute('data-row-id');
    await page.context().setOffline(true);
    await page.getByText('You are offline. What you see may be out of date.').waitFor();
    await rows().first().focus();
    await page.keyboard.press('e');
    await page.getByText('Your action is carried out when you are back online.').waitFor();
    expect(await page.locator(`[data-row-id="${subject}"]`).count()).toBe(0);
    expect(await findAccessibilityFaults(page)).toEqual([]);

    await page.context().setOffline(false);
    await page.getByRole('alert').getByText('1 email archived').waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await page.getByText('Archived 1 email').first().waitFor();
  });

  test('leaving the page asks first while an action waits', async () => {
    await page.context().setOffline(true);
    await rows().first().focus();
    await page.keyboard.press('e');
    await page.getByText('Your action is carried out when you are back online.').waitFor();
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', async (dialog) => {
        resolve(dialog.type());
        await dialog.dismiss();
      }),
    );
    await page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    await page.context().setOffline(false);
    await page.getByRole('alert').getByText('1 email archived').waitFor();
  });
});

const rows = (): Locator => page.locator('[role=row]');

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await signInAt(page, '/inbox', 'ada@example.com');
  await rows().first().waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('mailsweep-complete').length > 0);
});
