/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { clearFaults, orderFault } from './sandbox.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
/** The sandbox keeps Gmail's quota, so that a list may have to wait for its turn. */
const LONG_WAIT = { timeout: 60_000 };

describe.skipIf(!hasChromium)(`the inbox in a browser${skipReason}`, () => {
  useFreshVisit(web, async (fresh) => {
    page = fresh;
    await web.openAs(page, '/inbox', USER);
    await rows(page).first().waitFor();
  });

  test('filters are held by the address, and a reload shows the same list', async () => {
    await page.getByRole('button', { name: 'Unread' }).click();
    await page.getByLabel('Category').selectOption({ label: 'Promotions' });
    await page.waitForURL(/unread=true/);
    await expect.poll(() => page.url()).toContain('category=promotions');
    await expect.poll(() => categoriesOf(page), LONG_WAIT).toEqual(['Promotions']);
    const before = await subjectsOf(page);

    await page.reload();
    await rows(page).first().waitFor();
    expect(await subjectsOf(page)).toEqual(before);
  });

  test('the list goes on for as long as there is email, and keeps few rows in the page', async () => {
    await page.keyboard.press('End');
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return rows(page).last().getAttribute('aria-rowindex').then(Number);
      }, LONG_WAIT)
      .toBeGreaterThan(300);
    expect(await rows(page).count()).toBeLessThan(80);
  });

  test('several emails are archived by keyboard, the one that fails stays, and the key Z puts the others back', async () => {
    const before = await subjectsOf(page);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    for (const _ of [2, 3, 4]) await page.keyboard.press('Shift+J');
    const selected = page.locator('[role=row][aria-selected=true]');
    await expect.poll(() => selected.count()).toBe(4);
    const failing = await selected.nth(2).getAttribute('data-row-id');
    await orderFault(web.stack.google, {
      user: USER,
      kind: 'forbidden',
      path: `/messages/${failing}`,
      method: 'POST',
      times: 20,
    });

    await page.keyboard.press('e');
    await toast(page, '3 archived · 1 could not be processed').waitFor();
    await toast(page, 'refused by the email provider').waitFor();
    const ids = await idsOf(page);
    expect(ids[0]).toBe(failing);

    await clearFaults(web.stack.google);
    await page.keyboard.press('z');
    await toast(page, 'Undone: 3 emails put back').waitFor();
    await page.reload();
    await rows(page).first().waitFor();
    expect(await subjectsOf(page)).toEqual(before);
  });

  test('an email can be marked unread, and undone from the toast', async () => {
    const read = page.locator('[role=row]:not([data-unread])').first();
    const id = await read.getAttribute('data-row-id');
    await read.focus();
    await page.keyboard.press('u');
    const row = page.locator(`[data-row-id="${id}"]`);
    await expect.poll(() => row.getAttribute('data-unread')).toBe('true');
    await toast(page, '1 email marked unread').waitFor();
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect.poll(() => row.getAttribute('data-unread')).toBeNull();
  });

  test('an unread email is marked read in its row, and a selection by what it has', async () => {
    const unread = page.locator('[role=row][data-unread]').first();
    const id = await unread.getAttribute('data-row-id');
    const row = page.locator(`[data-row-id="${id}"]`);
    await row.hover();
    expect(await row.getByRole('button', { name: 'Mark unread' }).count()).toBe(0);
    await row.getByRole('button', { name: 'Mark read' }).click();
    await toast(page, '1 email marked read').waitFor();
    await expect.poll(() => row.getAttribute('data-unread')).toBeNull();
    await row.getByRole('button', { name: 'Mark unread' }).waitFor();

    await row.click();
    const details = page.getByRole('complementary', { name: 'Email details' });
    await details.getByRole('button', { name: 'Mark unread' }).click();
    await expect.poll(() => row.getAttribute('data-unread')).toBe('true');
    await details.getByRole('button', { name: 'Mark read' }).waitFor();

    await page.keyboard.press('x');
    const selected = page.getByRole('toolbar', { name: 'Selected emails' });
    await selected.getByRole('button', { name: 'Mark read' }).click();
    await expect.poll(() => row.getAttribute('data-unread')).toBeNull();
    await page.keyboard.press('z');
    await expect.poll(() => row.getAttribute('data-unread')).toBe('true');
  });

  test('all emails of one sender are selected with one key', async () => {
    await page.keyboard.press('j');
    const sender = await rows(page).first().getByRole('gridcell').nth(1).getAttribute('title');
    await page.keyboard.press('s');
    const titles = await page
      .locator('[role=row][aria-selected=true]')
      .evaluateAll((list) =>
        list.map((row) => row.querySelectorAll('[role=gridcell]')[1]?.getAttribute('title')),
      );
    expect(new Set(titles)).toEqual(new Set([sender]));
  });

  test('deleting many asks first and names the number, and a no changes nothing', async () => {
    const before = await idsOf(page);
    await page.keyboard.press('a');
    await page.keyboard.press('#');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Move \d+ emails to Trash\?$/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).last().click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await idsOf(page)).toEqual(before);
  });

  test('a click with Shift selects everything from the row ticked before', async () => {
    const tick = (row: number) => rows(page).nth(row).getByRole('checkbox');
    await rows(page).nth(2).hover();
    await tick(2).click();
    await rows(page).nth(7).hover();
    await tick(7).click({ modifiers: ['Shift'] });
    await page.getByRole('toolbar', { name: 'Selected emails' }).getByText('6 emails').waitFor();

    await page.keyboard.press('Escape');
    await rows(page).nth(1).click();
    await page.keyboard.press('Escape');
    await rows(page)
      .nth(4)
      .click({ modifiers: ['Shift'] });
    await page.getByRole('toolbar', { name: 'Selected emails' }).getByText('4 emails').waitFor();
  });

  test('the total is right after many were deleted, and after that was undone', async () => {
    await page.goto('/inbox?category=promotions');
    await expect
      .poll(async () => {
        await page.keyboard.press('End');
        return Number(await rows(page).last().getAttribute('aria-rowindex'));
      }, LONG_WAIT)
      .toBeGreaterThanOrEqual(230);
    await page.keyboard.press('a');
    await page.keyboard.press('#');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Trash \d+$/ }).click();
    await toast(page, 'moved to Trash').waitFor(LONG_WAIT);
    await expect.poll(totalAtTheEnd, LONG_WAIT).toBe(await promotionsInInbox());

    await page.keyboard.press('z');
    await toast(page, 'put back').waitFor(LONG_WAIT);
    await expect.poll(totalAtTheEnd, LONG_WAIT).toBe(await promotionsInInbox());
  });

  test('the number beside the title runs down when emails are archived, and changes at once without motion', async () => {
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    for (let more = 1; more < 8; more += 1) await page.keyboard.press('Shift+J');
    const before = await shownTotalOf(page);
    const seen = await observeTotal(page);
    await page.keyboard.press('e');
    await toast(page, '8 emails archived').waitFor();
    await expect.poll(() => shownTotalOf(page)).toBe(before - 8);
    const down = await seen();
    expect(down.length).toBeGreaterThan(2);
    expect(down).toEqual(down.toSorted((one, other) => other - one));

    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.keyboard.press('z');
    await toast(page, 'Undone: 8 emails put back').waitFor();
    await expect.poll(() => shownTotalOf(page)).toBe(before);
    expect((await seen()).slice(down.length)).toEqual([before]);
  });

  test('a dialog gives the focus back from its first opening on, and Enter after the key to delete keeps the emails', async () => {
    const first = rows(page).first();
    await first.focus();
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => first.evaluate((row) => row === document.activeElement)).toBe(true);

    const before = await idsOf(page);
    await page.keyboard.press('a');
    await page.keyboard.press('#');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => first.evaluate((row) => row === document.activeElement)).toBe(true);
    expect(await idsOf(page)).toEqual(before);
  });

  test('an API that cannot be reached is said in words, and trying again brings the list', async () => {
    await page.route('**/api/v1/emails?**', (route) => route.abort());
    await page.goto('/inbox?olderThan=700');
    await page.getByRole('heading', { name: 'No connection to Mailsweep' }).waitFor();
    await page.unroute('**/api/v1/emails?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await rows(page).first().waitFor();
  });
});

describe.skipIf(!hasChromium)(`an empty inbox in a browser${skipReason}`, () => {
  test('an empty mailbox says what to do next', async () => {
    const visitor = await web.open();
    await web.openAs(visitor.page, '/inbox', ownUser('katherine'));
    await visitor.page.getByRole('heading', { name: 'Your inbox is empty' }).waitFor();
    await visitor.close();
  });
});

/** The total is exact once the whole list is loaded; `NaN` before that. */
const totalAtTheEnd = async (): Promise<number> => {
  await page.keyboard.press('End');
  return totalOf(page);
};

const rows = (on: Page): Locator => on.locator('[role=row]');
const toast = (on: Page, text: string): Locator => on.getByRole('alert').getByText(text).first();
const subjectsOf = (on: Page): Promise<string[]> =>
  rows(on).evaluateAll((list) =>
    list.slice(0, 8).map((row) => row.querySelectorAll('bdi')[1]?.textContent ?? ''),
  );
const idsOf = (on: Page): Promise<(string | null)[]> =>
  rows(on).evaluateAll((list) => list.slice(0, 8).map((row) => row.getAttribute('data-row-id')));
/** The number beside the title, once it is exact. */
const totalOf = async (on: Page): Promise<number> =>
  Number((await headerOf(on).locator('h1 + span').textContent())?.match(/\d+$/)?.[0]);
const headerOf = (on: Page): Locator => on.locator('header', { has: on.getByRole('heading', { level: 1 }) });
/** The number beside the title, exact or not. */
const shownTotalOf = async (on: Page): Promise<number> =>
  Number(/[\d,]+/.exec((await headerOf(on).textContent()) ?? '')?.[0].replaceAll(',', ''));
/** Reads the numbers beside the title that were shown since. */
const observeTotal = async (on: Page): Promise<() => Promise<number[]>> => {
  const seen = await headerOf(on).evaluateHandle((header) => {
    const numbers: number[] = [];
    new MutationObserver(() => {
      numbers.push(Number(/[\d,]+/.exec(header.textContent ?? '')?.[0].replaceAll(',', '')));
    }).observe(header, { subtree: true, characterData: true, childList: true });
    return numbers;
  });
  return () => seen.jsonValue();
};
const promotionsInInbox = async (): Promise<number> => {
  let count = 0;
  let token: string | null = '';
  while (token !== null) {
    const query: string = `category=promotions&pageSize=100${token && `&pageToken=${token}`}`;
    const response = await page.context().request.get(`${web.stack.api}/api/v1/emails?${query}`);
    const { emails, nextPageToken } = await response.json();
    count += emails.length;
    token = nextPageToken;
  }
  return count;
};
const categoriesOf = async (on: Page): Promise<string[]> => [
  ...new Set(
    await rows(on).evaluateAll((list) =>
      list.map((row) => row.querySelector('[data-category]')?.textContent ?? ''),
    ),
  ),
];

const web = useWebStack();
let page: Page;
