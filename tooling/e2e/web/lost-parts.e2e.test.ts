import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
/** Scripts and styles of the build. */
const ASSETS = '**/assets/**';

describe.skipIf(!hasChromium)(`parts of the app that cannot be loaded, in a browser${skipReason}`, () => {
  test('an action tells its outcome and can be undone where the code of the toasts is missing', async () => {
    await loseAssets();
    await archiveFirst();
    await page.getByRole('alert').getByText('1 email archived').waitFor();
    await page.getByRole('link', { name: 'Inbox' }).waitFor();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await page.getByRole('alert').getByText('Undone: 1 email put back').waitFor();
  });

  test('offline, the navigation stays, and the screen comes with the network', async () => {
    await page.context().setOffline(true);
    await place('Senders').click();
    await page.getByRole('heading', { name: 'Part of Mailsweep did not load' }).waitFor();
    expect(await place('Inbox').isVisible()).toBe(true);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'Senders', level: 1 }).waitFor();
    // Styles that did not arrive at first are there as well.
    expect(await page.getByRole('search').evaluate((bar) => getComputedStyle(bar).display)).toBe('flex');
  });

  test('a screen that did not load comes after trying again', async () => {
    await loseAssets();
    await place('Senders').click();
    await page.getByRole('heading', { name: 'Part of Mailsweep did not load' }).waitFor();
    await page.unroute(ASSETS);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Senders', level: 1 }).waitFor();
  });

  test('after a deploy, a screen that is gone leads to the new version', async () => {
    await deploy();
    await place('History').click();
    await page.getByRole('heading', { name: 'A new version is available' }).waitFor();
    expect(await place('Inbox').isVisible()).toBe(true);
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
  });

  test('after a deploy, the list stays beside details that are gone', async () => {
    await deploy();
    await rows().first().click();
    await page.getByRole('alert').getByText('A new version is available.').waitFor();
    expect(await rows().count()).toBeGreaterThan(5);
    expect(await findAccessibilityFaults(page)).toEqual([]);
  });

  test('what has not been needed yet is loaded beforehand', async () => {
    const visitor = await web.open();
    const loaded = visitor.page.waitForResponse(/\/assets\/delete-confirmation-.*\.js$/);
    await web.openAs(visitor.page, '/inbox', USER);
    await loaded;
    await visitor.page.waitForLoadState('networkidle');
    await visitor.page.context().setOffline(true);
    for (const key of ['j', 'a', '#']) await visitor.page.keyboard.press(key);
    await visitor.page
      .getByRole('dialog')
      .getByText(/^Move \d+ emails to Trash\?$/)
      .waitFor();
    await visitor.page.keyboard.press('Escape');
    await visitor.page.getByRole('link', { name: 'Settings', exact: true }).click();
    await visitor.page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
    await visitor.close();
  });
});

const rows = (): Locator => page.locator('[role=row]');
const place = (name: string): Locator =>
  page.getByRole('navigation', { name: 'Screens' }).getByRole('link', { name, exact: true });

/** Lets the server have none of the assets that are not loaded yet. */
const loseAssets = () => page.route(ASSETS, (route) => route.fulfill({ status: 404, body: 'Not found' }));

/** Lets the server have another build, in which every asset has another name. */
const deploy = async (): Promise<void> => {
  await loseAssets();
  await page.route('**/index.html', async (route) => {
    const reply = await route.fetch();
    const body = (await reply.text()).replaceAll('/assets/', '/assets/new-');
    await route.fulfill({ response: reply, body });
  });
};

const archiveFirst = async (): Promise<void> => {
  await rows().first().focus();
  await page.keyboard.press('e');
};

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  // What is loaded beforehand would not be missing.
  await page.addInitScript('window.requestIdleCallback = () => 0');
  await web.openAs(page, '/inbox', USER);
  await rows().first().waitFor();
});
