import type { MailboxOverview } from '@mailsweep/contracts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const LONG_WAIT = { timeout: 120_000 };

const VISITS = [
  { name: 'on a desktop', email: 'ada@example.com', options: { viewport: { width: 1280, height: 800 } } },
  {
    name: 'on a phone',
    email: 'grace@example.com',
    options: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  },
];

describe.skipIf(!hasChromium)(`the first clean${skipReason}`, { timeout: 240_000 }, () => {
  test.each(VISITS)(
    'is one click after consent, and three more clean all: $name',
    async ({ email, options }) => {
      const { page, complaints, close } = await web.open(options);
      await signInAt(page, '/', email);
      const card = page.getByRole('heading', { name: /can go/ });
      await card.waitFor();
      const before = await readInbox(page);
      const counted = /^(\d+) emails? can go/.exec((await card.textContent()) ?? '')?.[1];
      const sidewards = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sidewards).toBe(0);
      expect(await findAccessibilityFaults(page)).toEqual([]);

      await page.getByRole('button', { name: 'Clean', exact: true }).click();
      const after = before - Number(counted);
      await payoff(page, before, after).waitFor(LONG_WAIT);
      expect(await readInbox(page)).toBe(after);
      await page.getByRole('alert').getByRole('button', { name: /^Undo/ }).first().click();
      await expect.poll(() => readInbox(page), LONG_WAIT).toBe(before);
      await payoff(page, before, after).waitFor({ state: 'hidden' });

      await page.getByText('Your whole mailbox is scanned').first().waitFor(LONG_WAIT);
      await page.getByRole('link', { name: /^Review/ }).click();
      await page.getByRole('button', { name: /^Accept (all|[\d,]+ of )/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Yes, all/ })
        .click(LONG_WAIT);
      await page.getByRole('alert').getByRole('button', { name: /^Undo/ }).first().waitFor(LONG_WAIT);
      const clean = await readInbox(page);
      expect(clean).toBeLessThan(before);
      await page.getByRole('link', { name: 'Home' }).first().click();
      await payoff(page, before, clean).waitFor();
      await page.getByText('Who still fills your inbox').waitFor();
      await page.getByRole('alert').getByRole('button', { name: /^Undo/ }).first().click();
      await expect.poll(() => readInbox(page), LONG_WAIT).toBe(before);
      await close();
      expect(complaints).toEqual([]);
    },
  );
});

const payoff = (page: Page, before: number, after: number) =>
  page.getByRole('heading', {
    name: `Inbox: ${before.toLocaleString('en')} → ${after.toLocaleString('en')}`,
  });

const readInbox = async (page: Page): Promise<number> => {
  const response = await page.request.get(`${web.stack.api}/api/v1/mailbox`);
  return ((await response.json()) as MailboxOverview).inbox.total;
};

const web = useWebStack();
