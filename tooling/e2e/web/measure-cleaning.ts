import type { Page } from 'playwright-core';
import { startLocalStack } from '../src/local-stack.ts';
import { launchBrowser, openVisit, signInAt } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';

/** What Gmail allows, and what a call takes. Unit of the latter: milliseconds. */
const LIMITS = { SANDBOX_QUOTA_UNITS_PER_MINUTE: '6000', SANDBOX_LATENCY_MS: '70' };
const CATEGORIES = ['promotions', 'updates', 'social', 'forums'];
const LONG_WAIT = { timeout: 180_000 };

/** Confirms the plan that is shown, and waits until it has been carried out; returns how many emails it took. */
const confirmPlan = async (page: Page): Promise<number> => {
  const yes = page.getByRole('dialog').getByRole('button', { name: /^(Archive|Trash) \d/ });
  await yes.waitFor(LONG_WAIT);
  const count = Number((await yes.textContent())?.replaceAll(/\D/g, ''));
  await yes.click();
  await page.getByRole('alert').getByRole('button', { name: /^Undo/ }).first().waitFor(LONG_WAIT);
  return count;
};

ensureWebAppIsBuilt();
const stack = await startLocalStack(LIMITS);
const browser = await launchBrowser();
try {
  const { page, close } = await openVisit(browser, stack.web);
  await signInAt(page, '/', 'ada@example.com');
  const startedMs = performance.now();
  const tell = (what: string) =>
    process.stdout.write(`${what}: ${((performance.now() - startedMs) / 1_000).toFixed(1)} s\n`);

  await page
    .getByRole('region', { name: 'What can be cleaned' })
    .getByRole('button', { name: /^(Archive|Trash) \d/ })
    .click(LONG_WAIT);
  await confirmPlan(page);
  tell('first clean');
  await page.getByRole('link', { name: /^Review/ }).click(LONG_WAIT);
  const accept = page.getByRole('button', { name: /^(Archive|Trash|Label) \d[^…]*$/ }).first();
  await accept.click(LONG_WAIT);
  tell('first decision');
  let decisions = 1;

  let cleaned = 0;
  for (const category of CATEGORIES) {
    await page.goto(`/inbox?category=${category}`);
    await page.locator('[role=row]').first().waitFor(LONG_WAIT);
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    await page.getByRole('button', { name: /^Select all/ }).click();
    await page.getByRole('button', { name: 'Archive' }).click();
    cleaned += await confirmPlan(page);
    decisions += 1;
    tell(`${decisions} decisions, ${cleaned} emails archived`);
  }
  await close();
} finally {
  await browser.close();
  await stack.stop();
}
