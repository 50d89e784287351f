/// <reference lib="dom" />
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findFaultsInAllColors } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 1440, height: 900 };
/** A window of 1280 by 1024 pixels, magnified four times. */
const MAGNIFIED = { width: 320, height: 256 };

/** Every screen, and what has to be on it before it is looked at. */
const SCREENS = [
  { place: '/', sign: '#consent-title, #clearable-title' },
  { place: '/inbox', sign: '[role=row]' },
  { place: '/suggestions', sign: 'button[aria-current=true]' },
  { place: '/senders', sign: '[data-row-id]' },
  { place: '/history', sign: 'h2' },
  { place: '/activity', sign: 'text=/^Who |% accepted/' },
  { place: '/rules', sign: 'text=No rules yet' },
  { place: '/precision', sign: 'text=/called sure/' },
  { place: '/settings', sign: 'ol[aria-label="Account activity"]' },
];

/** With the colors that the visit begins with; each screen is looked at in the others as well. */
const CASES = [
  { colorScheme: 'light', name: 'wide', viewport: WIDE },
  { colorScheme: 'dark', name: 'phone', viewport: PHONE },
] as const;

// Axe looks at each screen in two color schemes.
describe.skipIf(!hasChromium)(`the app for everyone${skipReason}`, { timeout: 480_000 }, () => {
  test.each(CASES)(
    'axe finds nothing on any screen, light or dark, and none is wider than its window: $name',
    async ({ colorScheme, viewport }) => {
      const { page, complaints, close } = await web.open({ colorScheme, viewport });
      const faults: Record<string, string[]> = {};
      await page.goto('/sign-in');
      await page.getByRole('link', { name: 'Continue with Google' }).waitFor();
      faults['/sign-in'] = await findFaultsInAllColors(page);
      await web.openAs(page, '/inbox', USER);
      for (const { place, sign } of SCREENS) {
        await page.goto(place);
        await page.locator(sign).first().waitFor();
        faults[place] = [...(await findFaultsInAllColors(page)), ...(await findOverflow(page))];
      }
      Object.assign(faults, await faultsOfOverlays(page));
      await close();
      expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test.each(CASES)(
    'axe finds nothing on a sender, nor on the offer to scan, light or dark: $name',
    async ({ colorScheme, viewport }) => {
      const { page, complaints, close } = await web.open({ colorScheme, viewport });
      await web.openAs(page, '/inbox', USER);
      await page.locator('[role=row]').first().waitFor();
      const faults = await faultsOfSender(page);
      await close();
      faults.offer = await faultsOfScanOffer({ colorScheme, viewport });
      expect(Object.entries(faults).filter(([, found]) => found.length > 0)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test('no screen is wider than its window when it is magnified', async () => {
    const { page, close } = await web.open({ viewport: MAGNIFIED });
    await web.openAs(page, '/inbox', USER);
    for (const { place, sign } of SCREENS) {
      await page.goto(place);
      await page.locator(sign).first().waitFor();
      expect({ place, overflow: await findOverflow(page) }).toEqual({ place, overflow: [] });
    }
    await close();
  });

  test('a subject is only ever text', async () => {
    const { page, close } = await web.open();
    await web.openAs(page, '/settings', USER);
    await page.route('**/api/v1/emails?**', async (route) => {
      const reply = await route.fetch();
      const body = await reply.json();
      body.emails[0].subject = '<img src=x onerror="document.title=1"><b>bold</b>';
      await route.fulfill({ response: reply, json: body });
    });
    await page.goto('/inbox');
    await page.getByText('<b>bold</b>').waitFor();
    expect(await page.locator('[role=row] img, [role=row] b').count()).toBe(0);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await close();
  });
});

/** By how much the page is wider than its window. */
const findOverflow = async (page: Page): Promise<string[]> => {
  const pixels = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  return pixels > 0 ? [`${pixels} pixels too wide`] : [];
};

/** The dialogs and the panes that lie over the inbox, each by its key. */
const faultsOfOverlays = async (page: Page): Promise<Record<string, string[]>> => {
  await page.goto('/inbox');
  await page.locator('[role=row]').first().waitFor();
  const faults: Record<string, string[]> = {};
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('toolbar', { name: 'Selected emails' }).waitFor();
  faults.selection = await findFaultsInAllColors(page);
  await page.keyboard.press('o');
  await page.getByRole('complementary', { name: 'Email details' }).waitFor();
  faults.details = await findFaultsInAllColors(page);
  await page.keyboard.press('Escape');
  for (const { name, keys, sign } of [
    { name: 'help', keys: '?', sign: 'Keyboard shortcuts' },
    { name: 'delete', keys: 'a #', sign: 'Cancel' },
  ]) {
    for (const key of keys.split(' ')) await page.keyboard.press(key);
    const dialog = page.getByRole('dialog');
    await dialog.getByText(sign).first().waitFor();
    faults[name] = await findFaultsInAllColors(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  }
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Command' }).waitFor();
  faults.palette = await findFaultsInAllColors(page);
  await page.goto('/settings');
  await page.getByRole('button', { name: 'Delete…' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/to confirm/)
    .waitFor();
  faults.erase = await findFaultsInAllColors(page);
  await page.goto('/settings?continue=export');
  await page.getByRole('dialog').getByText('Download now').waitFor();
  faults.export = await findFaultsInAllColors(page);
  return faults;
};

/** An open sender, and the question before all email of some senders is processed. */
const faultsOfSender = async (page: Page): Promise<Record<string, string[]>> => {
  await page.goto('/senders');
  await page.locator('[data-row-id]').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: /^Archive \d+ emails?$/ }).waitFor();
  const sender = await findFaultsInAllColors(page);
  await page.keyboard.press('Escape');
  await sheet.waitFor({ state: 'hidden' });
  await page.keyboard.press('x');
  await page.keyboard.press('e');
  await page
    .getByRole('dialog')
    .getByRole('heading', { name: /^Archive \d+ emails?\?$/ })
    .waitFor();
  return { sender, 'work on a sender': await findFaultsInAllColors(page) };
};

/** The senders of somebody whose mailbox nobody has looked at. */
const faultsOfScanOffer = async (options: BrowserContextOptions): Promise<string[]> => {
  const { page, close } = await web.open(options);
  await web.openAs(page, '/senders', ownUser('katherine'));
  await page.getByRole('button', { name: 'Scan my mailbox' }).waitFor();
  const faults = await findFaultsInAllColors(page);
  await close();
  return faults;
};

const web = useWebStack();
