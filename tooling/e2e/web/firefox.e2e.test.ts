import type { Cleanup } from '@mailsweep/contracts';
import { firefoxPath } from '@mailsweep/stack/testing';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SharedStack } from '../src/local-stack.ts';
import { ownUser, shareStack } from '../src/shared-stack.ts';
import { isViolation, REPORT_VIOLATIONS } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';

const skipReason = firefoxPath ? '' : ' (skipped: install firefox-esr, or set FIREFOX_PATH)';
const USER = ownUser('ada');
/** A scan reads the whole mailbox of the sandbox, and a cleanup keeps to Gmail's quota. */
const LONG_WAIT_MS = 120_000;
/** Firefox calls it an error of the page when leaving it ends the download of a font (NS_BINDING_ABORTED). */
const FONT_CUT_OFF = /downloadable font: download failed .* status=2152398850 /;

describe.skipIf(!firefoxPath)(`the main flows in Firefox${skipReason}`, { timeout: 480_000 }, () => {
  test('a sign-in leads to the first scan, and a suggestion of it is accepted and undone', async () => {
    await see('::-p-text(can probably go)');
    await see('::-p-text(In your whole mailbox, scanned)');
    await press('::-p-aria([name="Suggestions"][role="link"])');
    await press('button[aria-current=true]');
    await page.keyboard.press('y');
    await press('[role=dialog] button::-p-text(Archive)');
    await see(toast('archived'));
    await page.keyboard.press('z');
    await see(toast('put back'));
  });

  test('an email of the inbox is archived and comes back', async () => {
    await open('/inbox', '[role=row][data-row-id]');
    const before = await firstRow();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await see(toast('1 email archived'));
    expect(await firstRow()).not.toBe(before);
    await press('[role=alert] button::-p-text(Undo)');
    await see(toast('1 email put back'));
    await expect.poll(firstRow).toBe(before);
  });

  test('all email of a sender is cleaned up, and comes back', async () => {
    await see('::-p-text(In your whole mailbox, scanned)');
    await open('/senders', '[role=row][data-row-id]');
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await press('[role=dialog] button::-p-text(Archive)');
    await see(toast('emails archived'));
    const [done] = await listCleanups();
    expect(done).toMatchObject({ state: 'completed' });
    expect(done?.changed).toBeGreaterThan(10);
    await page.keyboard.press('z');
    await see(toast(`Undone: ${done?.changed} emails put back`));
    expect((await listCleanups())[0]).toMatchObject({ id: done?.id, undone: done?.changed });
  });

  test('settings are kept, and signing out ends the session', async () => {
    await open('/settings', '::-p-text(Connected)');
    await press('::-p-aria([name="Dark"][role="radio"])');
    await see('html[data-mantine-color-scheme=dark]');
    await page.reload();
    await see('html[data-mantine-color-scheme=dark]');
    await press('button::-p-text(Sign out)');
    await see('::-p-text(You are signed out.)');
    await open('/inbox', 'a::-p-text(Continue with Google)');
  });
});

const see = async (selector: string): Promise<void> => void (await page.locator(selector).wait());
const press = (selector: string): Promise<void> => page.locator(selector).click();
/** Presses what leads to another document: a locator that looks for its target in the old one would not find it. */
const leaveBy = async (selector: string): Promise<void> =>
  void (await Promise.all([page.waitForNavigation(), press(selector)]));
const toast = (text: string): string => `[role=alert] ::-p-text(${text})`;
const open = async (place: string, sign: string): Promise<void> => {
  await page.goto(`${stack.web}${place}`);
  await see(sign);
};
const firstRow = () => page.$eval('[role=row][data-row-id]', (row) => row.getAttribute('data-row-id'));
const listCleanups = (): Promise<Cleanup[]> =>
  page.evaluate(async (url) => {
    const response = await fetch(url, { credentials: 'include' });
    return (await response.json()).data;
  }, `${stack.api}/api/v1/cleanups`);

/** Signs in by the sandbox's own pages, which ask for consent once. */
const signIn = async (): Promise<void> => {
  await leaveBy('a::-p-text(Continue with Google)');
  await page.locator('input[type=email]').fill(USER);
  await leaveBy('button::-p-text(Next)');
  await see('nav[aria-label=Screens], input[type=checkbox]');
  if (await page.$('input[type=checkbox]')) {
    await press('input[type=checkbox]');
    await leaveBy('button::-p-text(Continue)');
  }
  await see('nav[aria-label=Screens]');
};

let stack: SharedStack;
let browser: Browser;
let page: Page;
let faults: string[];

beforeAll(async () => {
  if (!firefoxPath) return;
  ensureWebAppIsBuilt();
  [stack, browser] = await Promise.all([
    shareStack(),
    puppeteer.launch({ browser: 'firefox', executablePath: firefoxPath }),
  ]);
});
afterAll(async () => {
  await browser?.close();
});
beforeEach(async () => {
  if (!firefoxPath) return;
  page = await (await browser.createBrowserContext()).newPage();
  page.setDefaultTimeout(LONG_WAIT_MS);
  await page.setViewport({ width: 1280, height: 800 });
  faults = [];
  // The sandbox's own pages are not the product's.
  const note = (fault: string) => page.url().startsWith(stack.web) && faults.push(fault);
  page.on('pageerror', (error) => FONT_CUT_OFF.test(String(error)) || note(String(error)));
  page.on('console', (message) => isViolation(message.text()) && note(message.text()));
  await page.evaluateOnNewDocument(REPORT_VIOLATIONS);
  await page.goto(stack.web);
  await signIn();
});
afterEach(async () => {
  if (!firefoxPath) return;
  await page.browserContext().close();
  expect(faults).toEqual([]);
});
