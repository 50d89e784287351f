import type { MailboxOverview } from '@mailsweep/contracts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const LONG_WAIT = { timeout: 120_000 };
/** Each look is a request, and a user has 600 of them a minute. */
const SLOW_POLL = { ...LONG_WAIT, interval: 500 };

const VISITS = [
  { name: 'on a desktop', like: 'ada', options: { viewport: { width: 1280, height: 800 } } },
  {
    name: 'on a phone',
    like: 'grace',
    options: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  },
] as const;

describe.skipIf(!hasChromium)(`the first clean${skipReason}`, { timeout: 480_000 }, () => {
  test.for(VISITS)(
    'is one click and its plan after consent, and three more clean all: $name',
    async ({ like, options }, { task }) => {
      const { page, complaints, close } = await web.open(options);
      await signInAt(page, '/', ownUser(like, task.result?.retryCount));
      const clean = page
        .getByRole('region', { name: 'What can be cleaned' })
        .getByRole('button', { name: /^(Archive|Trash) \d/ });
      await clean.waitFor();
      const before = await readInbox(page);
      const sidewards = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(sidewards).toBe(0);
      expect(await findAccessibilityFaults(page)).toEqual([]);

      await clean.click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Archive|Trash) \d/ })
        .click(LONG_WAIT);
      await page.getByRole('alert').getByRole('button', { name: /^Undo/ }).first().waitFor(LONG_WAIT);
      const after = await readInbox(page);
      expect(after).toBeLessThan(before);
      await payoff(page, before, after).waitFor(LONG_WAIT);
      // The offer of the toast may be over on a slow machine.
      await page.keyboard.press('z');
      await expect.poll(() => readInbox(page), SLOW_POLL).toBe(before);
      await payoff(page, before, after).waitFor({ state: 'hidden' });

      await page.getByText('Your whole mailbox is scanned').first().waitFor(LONG_WAIT);
      await page.getByRole('link', { name: /^Review/ }).click();
      await page.getByRole('button', { name: /^(Archive|Trash|Label) .*\d…$/ }).click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^(Archive|Trash|Label) \d/ })
        .click(LONG_WAIT);
      await page.getByRole('alert').getByRole('button', { name: /^Undo/ }).first().waitFor(LONG_WAIT);
      const cleaned = await readInbox(page);
      expect(cleaned).toBeLessThan(before);
      await page.getByRole('link', { name: 'Home' }).first().click();
      await payoff(page, before, cleaned).waitFor();
      await page.getByText('Who still fills your inbox').waitFor();
      await page.keyboard.press('z');
      await expect.poll(() => readInbox(page), SLOW_POLL).toBe(before);
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
