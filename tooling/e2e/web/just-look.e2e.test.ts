import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium, signInAtProvider, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = 'ada+look@example.com';

describe.skipIf(!hasChromium)(`a look that changes nothing${skipReason}`, () => {
  test('shows everything, asks for more at the first action, and then does it', async () => {
    await page.getByRole('link', { name: /^Just look/ }).click();
    await page.getByLabel('Another account').fill(USER);
    await page.getByLabel('Another account').press('Enter');
    await page.getByText('View your email messages and settings').waitFor();
    await signInAtProvider(page, USER);
    await page.getByText(/^Mailsweep only looks/).waitFor();

    const first = page.locator('[role=row]').first();
    const id = await first.getAttribute('data-row-id');
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    const dialog = page.getByRole('dialog', { name: 'Let Mailsweep change your mailbox?' });
    await dialog.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();

    // Declined at Google: nothing was lost.
    const offer = page.getByRole('alert').filter({ hasText: '1 email not archived yet' });
    await offer.getByRole('button', { name: 'Archive 1' }).click();
    expect(page.url()).toBe(`${web.stack.web}/inbox`);
    await dialog.getByRole('button', { name: 'Continue with Google' }).click();
    await page.getByText('Read, compose, and send emails from your Gmail account').waitFor();
    await signInAtProvider(page, USER);
    await page.getByRole('alert').getByText('1 email archived').waitFor();
    expect(page.url()).toBe(`${web.stack.web}/inbox`);
    await expect.poll(() => first.getAttribute('data-row-id')).not.toBe(id);
    expect(await page.getByText(/^Mailsweep only looks/).count()).toBe(0);
  });
});

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await page.goto('/inbox');
});
