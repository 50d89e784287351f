import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { type LocalStack, startLocalStack } from '../src/local-stack.ts';
import { launchBrowser, openVisit, signInAt } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';

/** Where the README finds its pictures. */
const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const USER = 'ada@example.com';
const WIDE = { width: 1360, height: 850 };
const PHONE = { width: 390, height: 844 };
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

const WIDE_PICTURES: Picture[] = [
  { name: 'home', place: '/', sign: 'text=In your whole mailbox' },
  { name: 'inbox', place: '/inbox', sign: '[role=row]', keys: ['j', 'j', 'x', 'Shift+J', 'Shift+J'] },
  { name: 'suggestions', place: '/suggestions', sign: 'button[aria-current=true]', keys: ['j', 'j'] },
  {
    name: 'senders',
    place: '/senders',
    sign: '[data-row-id]',
    keys: ['j', 'j', 'j', 'Enter'],
    lastSign: '[role=dialog] button[type=button] >> text=Archive',
  },
  { name: 'history', place: '/history', sign: 'h2' },
  { name: 'activity', place: '/activity', sign: 'table' },
];
const PHONE_PICTURES: Picture[] = [
  { name: 'home-phone', place: '/', sign: 'text=In your whole mailbox' },
  { name: 'inbox-phone', place: '/inbox', sign: '[role=row]' },
  { name: 'suggestions-phone', place: '/suggestions', sign: 'button[aria-current=true]' },
  { name: 'senders-phone', place: '/senders', sign: '[data-row-id]' },
];

/** Scans the mailbox and decides about a few groups, so that senders, history and activity have something to tell. */
const liveALittle = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Scan my mailbox' }).click();
  await page.getByText('From your whole mailbox').waitFor({ timeout: SCAN_TIMEOUT_MS });
  const told = page.getByRole('alert').first();
  for (const key of ['y', 'n', 'y', 'y']) {
    await page.locator('button[aria-current=true]').waitFor();
    await page.keyboard.press(key);
    // What goes to the trash is asked about first.
    const yes = page.getByRole('dialog').getByRole('button', { name: /^(Yes, all|Move) / });
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

/** On a phone the app takes the phone's own font; a machine that takes pictures has none of that kind. */
const useFontOfWideScreens = `(async () => {
  document.documentElement.style.setProperty('--font', '"Inter Variable", sans-serif');
  document.body.getBoundingClientRect();
  await document.fonts.ready;
})()`;

const take = async (page: Page, pictures: Picture[], suffix: string): Promise<void> => {
  for (const { name, place, sign, keys = [], lastSign = sign } of pictures) {
    await page.goto(place);
    await page.locator(sign).first().waitFor();
    for (const key of keys) await page.keyboard.press(key);
    await page.locator(lastSign).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.evaluate(useFontOfWideScreens);
    await page.screenshot({ path: join(IMAGES, `${name}${suffix}.png`) });
  }
};

const photograph = async (browser: Browser, stack: LocalStack): Promise<void> => {
  for (const [index, colorScheme] of (['light', 'dark'] as const).entries()) {
    const suffix = colorScheme === 'dark' ? '-dark' : '';
    const wide = await openVisit(browser, stack.web, {
      viewport: WIDE,
      colorScheme,
      deviceScaleFactor: DENSITY,
    });
    await signInAt(wide.page, '/suggestions', USER);
    if (index === 0) await liveALittle(wide.page);
    await take(wide.page, WIDE_PICTURES, suffix);
    await wide.close();
    const phone = await openVisit(browser, stack.web, {
      viewport: PHONE,
      colorScheme,
      deviceScaleFactor: DENSITY,
    });
    await signInAt(phone.page, '/inbox', USER);
    await take(phone.page, PHONE_PICTURES, suffix);
    await phone.close();
  }
};

mkdirSync(IMAGES, { recursive: true });
ensureWebAppIsBuilt();
const stack = await startLocalStack();
const browser = await launchBrowser();
try {
  await photograph(browser, stack);
} finally {
  await browser.close();
  await stack.stop();
}
