/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = 'ada@example.com';
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!hasChromium)(`navigation in a browser${skipReason}`, () => {
  useFreshVisit(web, async (fresh) => {
    page = fresh;
    await web.openAs(page, '/inbox', USER);
    await rows(page).first().waitFor();
  });

  test('the email that is open follows the keyboard, and the address follows it', async () => {
    await rows(page).nth(1).click();
    const first = await rows(page).nth(1).getAttribute('data-row-id');
    const second = await rows(page).nth(2).getAttribute('data-row-id');
    await expect.poll(() => page.url()).toContain(String(first));
    await page.keyboard.press('j');
    await expect.poll(() => page.url()).toContain(String(second));
    await page.goBack();
    await page.getByRole('complementary', { name: 'Email details' }).waitFor({ state: 'hidden' });
  });

  test('each screen has a title of its own, and takes the focus when it is gone to', async () => {
    expect(await page.title()).toBe('Inbox · Mailsweep');
    for (const name of ['Home', 'Suggestions', 'Senders', 'History', 'Rules', 'Activity', 'Settings']) {
      await page
        .getByRole('navigation', { name: 'Screens' })
        .getByRole('link', { name, exact: true })
        .click();
      await expect.poll(() => page.title()).toBe(`${name} · Mailsweep`);
      await expect.poll(() => focused(page)).toBe(`H1 ${name}`);
    }
    for (const [key, name] of Object.entries({ r: 'Rules', p: 'Precision', i: 'Inbox' })) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await expect.poll(() => focused(page)).toBe(`H1 ${name}`);
    }
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('row');
  });

  test('an address that is none says so in its title and its heading', async () => {
    await page.goto('/nothing-here');
    await page.getByRole('heading', { level: 1, name: 'There is nothing at this address' }).waitFor();
    await expect.poll(() => page.title()).toBe('Not found · Mailsweep');
    expect(await findAccessibilityFaults(page)).toEqual([]);
  });

  test('the focus stays in the list when an email is accepted, and on the screen when that is undone', async () => {
    await page.goto('/suggestions');
    const emails = page.getByRole('list', { name: 'Emails of this group' });
    const accept = emails.getByRole('button', { name: /^Accept for / });
    await accept.first().waitFor();
    const before = await accept.count();
    expect(before).toBeGreaterThan(1);
    await afterFirstScreen(page);
    const next = await accept.nth(1).getAttribute('aria-label');
    await accept.first().focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe(next);

    const undo = page.getByRole('alert').getByRole('button', { name: /^Undo/ });
    await page
      .getByRole('alert')
      .getByText(/^1 (email|suggestion) /)
      .waitFor();
    await undo.focus();
    // A user gets there with other keys, which end the guard against double presses.
    await page.keyboard.press('Shift');
    await page.keyboard.press('Enter');
    await page
      .getByRole('alert')
      .getByText(/^Undone: 1 (email|suggestion) /)
      .waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest('main')?.id)).toBe('main');
  });

  test('Back, as soon as a dialog is seen, closes it and stays on the screen', async () => {
    await page.goto('/inbox');
    await rows(page).first().waitFor();
    await afterFirstScreen(page);
    const pathAfterwards = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          let isSeen = false;
          new MutationObserver((_changes, observer) => {
            const isOpen = document.querySelector('[role=dialog]') !== null;
            if (isOpen && !isSeen) setTimeout(() => history.back());
            if (isSeen && !isOpen) {
              observer.disconnect();
              resolve(location.pathname);
            }
            isSeen ||= isOpen;
          }).observe(document.body, { childList: true, subtree: true });
        }),
    );
    await page.keyboard.press('Control+k');
    expect(await pathAfterwards).toBe('/inbox');
    await rows(page).first().waitFor();
  });

  test('the frame says after a few seconds that the service takes long', async () => {
    await page.route('**/api/v1/me', () => undefined);
    await page.reload();
    await page.getByText('This takes longer than usual. Still waiting…').waitFor({ timeout: 10_000 });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('suggestions come back by themselves with the classification service', {
    timeout: 480_000,
  }, async () => {
    const note = page.getByText(/the classification service does not respond|Suggestions are taking a break/);
    process.kill(web.stack.pids.ml as number, 'SIGSTOP');
    try {
      await page.goto('/suggestions');
      await note.waitFor({ timeout: 60_000 });
    } finally {
      process.kill(web.stack.pids.ml as number, 'SIGCONT');
    }
    await note.waitFor({ state: 'hidden', timeout: 120_000 });
    await page.getByRole('list', { name: 'Groups of suggestions' }).waitFor();
  });

  test('another tab shows what was done in this one', async () => {
    const other = await page.context().newPage();
    await other.goto('/inbox');
    await rows(other).first().waitFor();
    for (const tab of [page, other]) {
      // Browsers give a tab in the background little time.
      await tab.bringToFront();
      await afterFirstScreen(tab);
    }
    await page.bringToFront();
    const id = await rows(page).first().getAttribute('data-row-id');
    expect(await rows(other).first().getAttribute('data-row-id')).toBe(id);
    await rows(page).first().focus();
    await page.keyboard.press('e');
    await page.getByRole('alert').getByText('1 email archived').waitFor();
    await expect.poll(() => rows(other).first().getAttribute('data-row-id')).not.toBe(id);
    await page.keyboard.press('z');
    await page.getByRole('alert').getByText('Undone: 1 email put back').waitFor();
    await expect.poll(() => rows(other).first().getAttribute('data-row-id')).toBe(id);
    await other.close();
  });

  test('names and subjects keep their letters in their places', async () => {
    await page.route('**/api/v1/emails?**', async (route) => {
      const reply = await route.fetch();
      const body = await reply.json();
      body.emails[0].subject = 'Invoice \u202egnp.exe';
      await route.fulfill({ response: reply, json: body });
    });
    await page.reload();
    await rows(page).first().waitFor();
    await rows(page).first().getByText('Invoice gnp.exe', { exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

describe.skipIf(!hasChromium)(`navigation on a phone and in other mailboxes${skipReason}`, () => {
  test('on a phone, Back leads from an email to the list, and a reload keeps the email open', async () => {
    const visitor = await web.open(PHONE);
    await web.openAs(visitor.page, '/inbox', USER);
    await rows(visitor.page).nth(2).tap();
    const details = visitor.page.getByRole('complementary', { name: 'Email details' });
    await details.waitFor();
    const subject = await details.getByRole('heading', { level: 2 }).textContent();
    await visitor.page.reload();
    await details.waitFor();
    expect(await details.getByRole('heading', { level: 2 }).textContent()).toBe(subject);
    await visitor.page.goBack();
    await details.waitFor({ state: 'hidden' });
    expect(new URL(visitor.page.url()).pathname).toBe('/inbox');
    await visitor.close();
  });

  test('on a phone, Back leads from a group to the groups', async () => {
    const visitor = await web.open(PHONE);
    await web.openAs(visitor.page, '/suggestions?show=everything', USER);
    const groups = visitor.page.getByRole('list', { name: 'Groups of suggestions' }).getByRole('button');
    await groups.nth(2).tap();
    const group = visitor.page.getByRole('region', { name: /^Suggestions: / });
    await group.waitFor();
    const title = await group.getByRole('heading', { level: 2 }).textContent();
    await visitor.page.reload();
    await group.waitFor();
    expect(await group.getByRole('heading', { level: 2 }).textContent()).toBe(title);
    await visitor.page.goBack();
    await groups.nth(2).waitFor();
    expect(new URL(visitor.page.url()).pathname).toBe('/suggestions');
    await visitor.close();
  });

  test('a phone has five tabs, whose German names fit, and the last one opens the other places', async () => {
    const viewport = { width: 360, height: 740 };
    const visitor = await web.open({ ...PHONE, viewport, locale: 'de-DE' });
    const { page: phone } = visitor;
    await web.openAs(phone, '/inbox', USER);
    await rows(phone).first().waitFor();
    const tabs = phone.getByRole('navigation', { name: 'Bereiche', exact: true }).getByRole('listitem');
    expect(await tabs.allInnerTexts()).toEqual(['Start', 'Posteingang', 'Vorschläge', 'Absender', 'Mehr']);
    for (const tab of await tabs.all()) {
      const [box, name] = await Promise.all([tab.boundingBox(), tab.locator('span').boundingBox()]);
      if (!box || !name) throw new Error('a tab is not drawn');
      expect(box.width).toBeGreaterThanOrEqual(56);
      expect(name.x).toBeGreaterThanOrEqual(box.x);
      expect(name.x + name.width).toBeLessThanOrEqual(box.x + box.width);
    }
    await phone.getByRole('button', { name: 'Mehr' }).tap();
    const more = phone.getByRole('dialog', { name: 'Mehr' });
    await more.getByRole('link').first().waitFor();
    expect(await more.getByRole('link').allInnerTexts()).toEqual([
      'Verlauf',
      'Regeln',
      'Aktivität',
      'Einstellungen',
    ]);
    expect(await findAccessibilityFaults(phone)).toEqual([]);
    await more.getByRole('link', { name: 'Regeln' }).tap();
    await phone.getByRole('heading', { level: 1, name: 'Regeln' }).waitFor();
    await more.waitFor({ state: 'hidden' });
    await phone.getByRole('button', { name: 'Mehr' }).tap();
    await more.getByRole('button', { name: 'Befehle' }).tap();
    await phone.getByRole('combobox').waitFor();
    await visitor.close();
  });

  test('an empty mailbox leads nowhere that leads back', async () => {
    const visitor = await web.open();
    await web.openAs(visitor.page, '/inbox', 'katherine@example.com');
    await visitor.page.getByRole('heading', { name: 'Your inbox is empty' }).waitFor();
    await visitor.page.getByRole('button', { name: 'Show all mail' }).click();
    await visitor.page.getByRole('heading', { name: 'Your mailbox is empty' }).waitFor();
    expect(await visitor.page.locator('#main').getByText('Clear the filters').count()).toBe(0);
    await visitor.page.goto('/suggestions');
    await visitor.page.getByRole('heading', { name: 'Nothing to suggest' }).waitFor();
    expect(await visitor.page.getByText('newest 0').count()).toBe(0);
    expect(await visitor.page.locator('#main').getByRole('link').count()).toBe(0);
    expect(await findAccessibilityFaults(visitor.page)).toEqual([]);
    await visitor.close();
  });

  test('a scan is in sight on every screen, and its end is told', { timeout: 480_000 }, async () => {
    const visitor = await web.open();
    await web.openAs(visitor.page, '/senders', 'grace@example.com');
    await visitor.page.getByRole('button', { name: 'Scan my mailbox' }).click();
    await visitor.page.getByRole('link', { name: 'History', exact: true }).click();
    const status = visitor.page.getByRole('link', { name: /^Scanning mailbox/ });
    await status.waitFor();
    await visitor.page
      .getByRole('alert')
      .getByText('Your whole mailbox is scanned')
      .waitFor({ timeout: 180_000 });
    expect(await findAccessibilityFaults(visitor.page)).toEqual([]);
    await status.waitFor({ state: 'hidden' });
    await visitor.page.getByRole('button', { name: 'See what it found' }).click();
    await visitor.page.waitForURL(/\/senders\?sort=suggested/);
    await visitor.close();
  });
});

const rows = (on: Page): Locator => on.locator('[role=row]');
const focused = (on: Page): Promise<string> =>
  on.evaluate(() => `${document.activeElement?.tagName} ${document.activeElement?.textContent}`);

/** Waits for what the app loads once the first screen is drawn: it keeps the focus, and tabs in step. */
const afterFirstScreen = (on: Page): Promise<unknown> =>
  on.waitForFunction(() => performance.getEntriesByName('mailsweep-complete').length > 0);

// A stack of its own: a test stops its classification service.
const web = useWebStack(async () => ({}));
let page: Page;
