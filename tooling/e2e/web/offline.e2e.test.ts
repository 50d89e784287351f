import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, signInAs, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
const DAY_MS = 24 * 60 * 60_000;
const WAITING = 'Your action is carried out when you are back online.';

describe.skipIf(!hasChromium)(`without a network, in a browser${skipReason}`, () => {
  test('actions wait, and are carried out once when the network is back', async () => {
    const { page, close } = await visit('/inbox', { serviceWorkers: 'block' });
    const id = await rows(page).first().getAttribute('data-row-id');
    await page.context().setOffline(true);
    await page.getByText('You are offline. What you see may be out of date.').waitFor();
    await archiveFirst(page);
    expect(await page.locator(`[data-row-id="${id}"]`).count()).toBe(0);
    expect(await findAccessibilityFaults(page)).toEqual([]);

    await page.context().setOffline(false);
    await toast(page, '1 email archived').waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    expect(await countKept(page)).toBe(0);
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await page.getByText('Archived 1 email').first().waitFor();
    await close();
  });

  test('an email archived offline is archived after a reload, once, and can be put back', async () => {
    const { page, close, posts } = await visit('/inbox');
    const id = await rows(page).first().getAttribute('data-row-id');
    await page.context().setOffline(true);
    await archiveFirst(page);
    await reloadOffline(page);
    await page.context().setOffline(false);
    await toast(page, '1 email archived').waitFor();
    expect(await page.locator(`[data-row-id="${id}"]`).count()).toBe(0);
    expect(posts('/inbox/actions')).toBe(1);
    expect(await countKept(page)).toBe(0);

    await page.keyboard.press('z');
    await toast(page, 'Undone: 1 email put back').waitFor();
    await page.reload();
    await page.locator(`[data-row-id="${id}"]`).waitFor();
    expect(posts('/inbox/actions')).toBe(1);
    await close();
  });

  test('what was taken back offline is taken back after a reload, too', async () => {
    const { page, close } = await visit('/inbox');
    const id = await rows(page).first().getAttribute('data-row-id');
    await page.context().setOffline(true);
    await archiveFirst(page);
    await page.keyboard.press('z');
    await toast(page, 'Undoing…').waitFor();
    await reloadOffline(page);
    await page.context().setOffline(false);
    await toast(page, 'Undone: 1 email put back').waitFor();
    await page.locator(`[data-row-id="${id}"]`).waitFor();
    await close();
  });

  test('a group of suggestions, rejected offline, is rejected after a reload', async () => {
    const { page, close, posts } = await visit('/suggestions');
    const title = await page.getByRole('heading', { level: 2 }).first().textContent();
    await page.context().setOffline(true);
    await page.keyboard.press('n');
    await page.getByText(WAITING).waitFor();
    await reloadOffline(page);
    await page.context().setOffline(false);
    await toast(page, /left as (it was|they were)/).waitFor();
    expect(posts('/notifications/confirm')).toBe(1);
    expect(await page.getByRole('heading', { level: 2 }).first().textContent()).not.toBe(title);
    await close();
  });

  test('all email of a sender, archived offline, is archived after a reload', async () => {
    const { page, close } = await visit('/senders');
    // A retry finds the mailbox scanned.
    await page.getByRole('button', { name: /^Scan (my mailbox|again)$/ }).click();
    await page.getByRole('button', { name: 'Scan again' }).waitFor({ timeout: 90_000 });
    // Until all senders are counted, the first row may be an individual, whose email cleanups leave out.
    await rows(page).filter({ hasText: 'Pixel Deals Weekly' }).focus();
    await page.context().setOffline(true);
    // Until the page knows, it asks first.
    await page.getByText('You are offline.').waitFor();
    await page.keyboard.press('e');
    await page.getByText(WAITING).waitFor();
    await reloadOffline(page);
    await page.context().setOffline(false);
    await toast(page, /\d+ emails archived/).waitFor();
    expect(await countKept(page)).toBe(0);
    await close();
  });

  test('two tabs do not send the same twice', async () => {
    const { page, close, posts } = await visit('/inbox');
    await page.context().setOffline(true);
    await archiveFirst(page);
    const other = await page.context().newPage();
    await other.goto('/inbox');
    await other.getByRole('heading', { name: 'No connection to Mailsweep' }).waitFor();
    await page.context().setOffline(false);
    await toast(page, '1 email archived').waitFor();
    await rows(other).first().waitFor();
    await complete(other);
    expect(posts('/inbox/actions')).toBe(1);
    expect(await toast(other, '1 email archived').count()).toBe(0);
    await close();
  });

  test('another tab sends what a closed one left', async () => {
    const { page, close, posts } = await visit('/inbox');
    const other = await page.context().newPage();
    await other.goto('/inbox');
    await complete(other);
    await page.context().setOffline(true);
    await archiveFirst(page);
    await page.close();
    await page.context().setOffline(false);
    await toast(other, '1 email archived').waitFor();
    expect(posts('/inbox/actions')).toBe(1);
    await close();
  });

  test('what is older than a day is offered, and done only with a yes', async () => {
    const { page, close, posts } = await visit('/inbox');
    await page.context().setOffline(true);
    await archiveFirst(page);
    await reloadOffline(page);
    await page.evaluate((age) => {
      for (const [key, text] of Object.entries({ ...localStorage })) {
        if (!key.startsWith('mailsweep.work.')) continue;
        const work = JSON.parse(text);
        localStorage.setItem(key, JSON.stringify({ ...work, at: work.at - age }));
      }
    }, DAY_MS);
    await page.context().setOffline(false);
    await toast(page, '1 email not archived yet').waitFor();
    expect(posts('/inbox/actions')).toBe(0);
    await page.getByRole('button', { name: 'Archive 1', exact: true }).click();
    await toast(page, '1 email archived').waitFor();
    await close();
  });

  test('is kept until the same user signs in again', async () => {
    const { page, close, posts } = await visit('/inbox');
    await page.context().setOffline(true);
    await archiveFirst(page);
    await reloadOffline(page);
    await page.context().clearCookies();
    await page.context().setOffline(false);
    await signInAs(page, USER);
    await toast(page, '1 email archived').waitFor();
    expect(posts('/inbox/actions')).toBe(1);
    await close();
  });

  test('is not another user’s to send', async () => {
    const { page, close, posts } = await visit('/inbox');
    await page.context().setOffline(true);
    await archiveFirst(page);
    await reloadOffline(page);
    await page.context().clearCookies();
    await page.context().setOffline(false);
    await signInAs(page, ownUser('grace'));
    await complete(page);
    await expect.poll(() => countKept(page)).toBe(0);
    expect(posts('/inbox/actions')).toBe(0);
    await close();
  });

  test('leaving the page asks first where the device has no room to keep an action', async () => {
    const { page, close } = await visit('/inbox');
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    });
    await page.context().setOffline(true);
    await archiveFirst(page);
    const asked = new Promise<string>((resolve) =>
      page.once('dialog', async (dialog) => {
        resolve(dialog.type());
        await dialog.dismiss();
      }),
    );
    await page.close({ runBeforeUnload: true });
    expect(await asked).toBe('beforeunload');
    await page.context().setOffline(false);
    await toast(page, '1 email archived').waitFor();
    await close();
  });
});

const rows = (page: Page): Locator => page.locator('[role=row][data-row-id]');
const toast = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('alert').filter({ hasText: text }).first();
const complete = (page: Page) =>
  page.waitForFunction(() => performance.getEntriesByName('mailsweep-complete').length > 0);

const archiveFirst = async (page: Page): Promise<void> => {
  await rows(page).first().focus();
  await page.keyboard.press('e');
  await page.getByText(WAITING).waitFor();
};

/** The page comes from what the service worker has cached. */
const reloadOffline = async (page: Page): Promise<void> => {
  await page.reload();
  await page.getByRole('heading', { name: 'No connection to Mailsweep' }).waitFor();
};

/** How many entries of work the device has. */
const countKept = (page: Page): Promise<number> =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('mailsweep.work.')).length);

const web = useWebStack();

/** Signs in at a screen of the installed app. `posts` counts the requests that were sent to a route and got through. */
const visit = async (place: string, { serviceWorkers = 'allow' as 'allow' | 'block' } = {}) => {
  const { page, complaints, close } = await web.open({ serviceWorkers });
  const sent: string[] = [];
  page.context().on('response', (response) => {
    if (response.request().method() === 'POST') sent.push(new URL(response.url()).pathname);
  });
  await web.openAs(page, place, USER);
  if (serviceWorkers === 'allow') {
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    // The page that installs a service worker is not served by it yet.
    await page.reload();
  }
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await complete(page);
  return {
    page,
    posts: (route: string) => sent.filter((path) => path.endsWith(route)).length,
    close: async () => {
      await close();
      expect(complaints).toEqual([]);
    },
  };
};
