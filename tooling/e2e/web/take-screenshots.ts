import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { type LocalStack, startLocalStack } from '../src/local-stack.ts';
import { launchBrowser, openVisit, signInAt } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';

/** Where the documents find their pictures. */
const IMAGES = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
const USER = 'ada@example.com';
const VIEWPORT = { width: 1360, height: 850 };
/** Pictures stay sharp on dense screens, and small enough for a repository. */
const DENSITY = 1.5;
/** A scan reads the whole mailbox of the sandbox. */
const SCAN_TIMEOUT_MS = 120_000;

interface Picture {
  name: string;
  place: string;
  /** What has to be on the screen first. */
  sign: string;
  /** Keys that set the scene. */
  keys?: string[];
  /** What has to be on the screen after the keys. */
  lastSign?: string;
}

const SUGGESTIONS: Picture = {
  name: 'suggestions',
  place: '/suggestions?show=likely',
  sign: 'button[aria-current=true]',
  keys: ['j', 'j'],
};
const PICTURES = {
  light: [
    SUGGESTIONS,
    {
      name: 'senders',
      place: '/senders',
      sign: '[data-row-id]',
      keys: ['j', 'j', 'j', 'Enter'],
      lastSign: '[role=dialog] button[type=button] >> text=Archive',
    },
    { name: 'history', place: '/history', sign: 'h2' },
  ],
  // For readers with dark screens.
  dark: [{ ...SUGGESTIONS, name: 'suggestions-dark' }],
} satisfies Record<string, Picture[]>;

/** Scans the mailbox and decides about a few groups, so that senders and history have something to tell. */
const liveALittle = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Scan my mailbox' }).click();
  await page.getByText('From your whole mailbox').waitFor({ timeout: SCAN_TIMEOUT_MS });
  const told = page.getByRole('alert').first();
  for (const key of ['y', 'n', 'y', 'y']) {
    await page.locator('button[aria-current=true]').waitFor();
    await page.keyboard.press(key);
    // What goes to the trash is asked about first.
    const yes = page.getByRole('dialog').getByRole('button', { name: /^(Archive|Trash|Label) \d/ });
    const outcome = told.getByText(/archived|labelled|moved to Trash|left as they were/);
    await yes.or(outcome).first().waitFor();
    if (await yes.isVisible()) await yes.click();
    await outcome.waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).first().click();
    await told.waitFor({ state: 'hidden' });
  }
  await page.goto('/inbox?category=promotions');
  await page.locator('[role=row]').first().waitFor();
  for (const key of ['j', 'x', 'Shift+J', 'Shift+J', 'e']) await page.keyboard.press(key);
  await told.getByText(/archived/).waitFor();
};

const take = async (page: Page, pictures: Picture[]): Promise<void> => {
  for (const { name, place, sign, keys = [], lastSign = sign } of pictures) {
    await page.goto(place);
    await page.locator(sign).first().waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await page.locator(lastSign).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  }
};

const photograph = async (browser: Browser, stack: LocalStack): Promise<void> => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page, close } = await openVisit(browser, stack.web, {
      viewport: VIEWPORT,
      colorScheme,
      deviceScaleFactor: DENSITY,
    });
    await signInAt(page, '/suggestions', USER);
    if (colorScheme === 'light') await liveALittle(page);
    await take(page, PICTURES[colorScheme]);
    await close();
  }
};

mkdirSync(IMAGES, { recursive: true });
ensureWebAppIsBuilt();
const stack = await startLocalStack();
const browser = await launchBrowser({ drawsFinely: true });
try {
  await photograph(browser, stack);
} finally {
  await browser.close();
  await stack.stop();
}
