/// <reference lib="dom" />
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason, type Visit } from './browser.ts';
import { findTextFaults } from './find-text-faults.ts';
import { click, PLACES_IN_ROW, pressTwice, tap } from './press-twice.ts';
import { forgetRequests, listRequests } from './sandbox.ts';
import { useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
/** A scan reads some 1,500 emails from the sandbox. */
const SCAN = { timeout: 150_000, interval: 500 };
const WAIT = { timeout: 60_000 };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1280, height: 800 } };
const GRID_ROWS = '[role=row][data-row-id]';
const GROUPS = 'ul[aria-label="Groups of suggestions"] [data-row-id]';

/** Every list, and where it is. The emails of a sender are those of the first one, as those of a group. */
const LISTS = {
  home: { rows: 'ul[aria-labelledby=categories-title] > li', place: () => '/' },
  inbox: { rows: GRID_ROWS, place: () => '/inbox' },
  search: { rows: GRID_ROWS, place: () => '/inbox?scope=all&q=the' },
  suggestions: { rows: GROUPS, place: () => '/suggestions?show=everything' },
  'emails of a group': {
    rows: 'ul[aria-label="Emails of this group"] [data-row-id]',
    place: () => `/suggestions?show=everything#${first.group}`,
  },
  senders: { rows: GRID_ROWS, opens: '[role=dialog]', place: () => '/senders' },
  'emails of a sender': {
    rows: GRID_ROWS,
    place: () => `/inbox?scope=all&q=${encodeURIComponent(`from:${first.sender}`)}`,
  },
  history: { rows: '#main li', unfolds: true, place: () => '/history' },
};

/** Which places are pressed at one of the widths: together they are all places; the nightly run presses all at each. */
const placesAt = (width: number, widths: readonly number[]): number[] => {
  // biome-ignore lint/style/noProcessEnv: a setting of the test, not of the product
  const isEvery = process.env.EVERY_PLACE !== undefined;
  return Array.from({ length: PLACES_IN_ROW }, (_, place) => place).filter(
    (place) => isEvery || place % widths.length === widths.indexOf(width),
  );
};

const DESKTOP_WIDTHS = [1280, 1024, 768, 1600, 360];

/** Lists that are pressed in a window of their own, side by side. */
const WINDOWS: { device: BrowserContextOptions; widths: number[]; names: (keyof typeof LISTS)[] }[] = [
  { device: PHONE, widths: [390, 360], names: Object.keys(LISTS) as (keyof typeof LISTS)[] },
  {
    device: DESKTOP,
    widths: DESKTOP_WIDTHS,
    names: ['home', 'suggestions', 'emails of a group', 'history'],
  },
  { device: DESKTOP, widths: DESKTOP_WIDTHS, names: ['inbox', 'search', 'emails of a sender'] },
  { device: DESKTOP, widths: DESKTOP_WIDTHS, names: ['senders'] },
];

describe.skipIf(!hasChromium)(`lists in a browser${skipReason}`, { timeout: 600_000 }, () => {
  test('a double click changes no email and moves no row, wherever in a row and in whichever list it is', async () => {
    const before = await countRecords();
    await forgetRequests(web.stack.google, USER);
    const faults = await Promise.all(
      WINDOWS.map(async ({ device, widths, names }) => {
        const found: string[] = [];
        const { page, complaints, close } = await open(device);
        for (const name of names) {
          const { place, ...list } = LISTS[name];
          await page.goto(place());
          await page.locator(list.rows).nth(1).waitFor();
          await page.waitForLoadState('networkidle');
          for (const width of widths) {
            await page.setViewportSize({ width, height: device.viewport?.height ?? 0 });
            const press = device.hasTouch ? tap : click;
            const places = placesAt(width, widths);
            const faulty = await pressTwice(page, { ...list, press, places });
            found.push(...faulty.map((fault) => `${name}: ${fault}`));
          }
        }
        await close();
        return [...found, ...complaints];
      }),
    );
    expect(faults.flat()).toEqual([]);
    expect(await countRecords()).toBe(before);
    expect(await readGmailChanges()).toEqual([]);
  });

  test.each(['inbox', 'senders', 'suggestions'] as const)(
    '%s: the list is where it was left when the user comes back to it',
    async (name) => {
      const { place, rows } = LISTS[name];
      const { page, close } = await open(DESKTOP);
      await page.goto(place());
      await page.locator(rows).nth(3).hover();
      await page.mouse.wheel(0, 1_000);
      await expect.poll(() => readScroll(page, rows), WAIT).toBeGreaterThan(500);
      const left = await readScroll(page, rows);
      await page.getByRole('link', { name: 'History', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
      await page.goBack();
      await page.locator(rows).nth(3).waitFor();
      await expect.poll(() => readScroll(page, rows), WAIT).toBe(left);
      await close();
    },
  );

  test.each(['inbox', 'senders'] as const)(
    '%s: rows are selected by finger, and all of them',
    async (name) => {
      const { place, rows } = LISTS[name];
      const { page, close } = await open(PHONE);
      await page.goto(place());
      await page.locator(rows).first().waitFor();
      await page.getByRole('button', { name: 'Select', exact: true }).tap();
      const bar = page.getByRole('toolbar', { name: /^Selected/ });
      expect(await bar.getByRole('button', { name: 'Archive' }).isDisabled()).toBe(true);
      for (const row of [0, 2]) await page.locator(rows).nth(row).tap();
      await expect.poll(() => page.locator('[role=row][aria-selected=true]').count(), WAIT).toBe(2);
      await bar.getByRole('button', { name: 'Select all', exact: true }).tap();
      await expect.poll(() => page.locator('[role=row][aria-selected=false]').count(), WAIT).toBe(0);
      await bar.getByRole('button', { name: 'Clear the selection' }).tap();
      await bar.waitFor({ state: 'hidden' });
      await page.locator(rows).nth(1).tap();
      await page.locator('[role=dialog], [role=complementary], aside').first().waitFor();
      await close();
    },
  );

  test('Back closes a dialog and stays, and a dialog that is closed leaves nothing behind', async () => {
    const { page, close } = await open(PHONE);
    await page.goto('/');
    await page.getByRole('link', { name: 'Suggestions', exact: true }).tap();
    const acceptAll = page.getByRole('button', { name: /^(Archive|Trash|Label) .*\d…$/ });
    const dialog = page.getByRole('dialog');
    const cancel = dialog.getByRole('button', { name: 'Cancel' }).last();
    await acceptAll.tap();
    await cancel.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/suggestions');

    await acceptAll.tap();
    await cancel.tap();
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => history.state.dialogs), WAIT).toBeUndefined();
    await page.goBack();
    await expect.poll(() => new URL(page.url()).pathname, WAIT).toBe('/');
    await close();
  });

  test.each(['en-US', 'de-DE'])('no text is cut off or lies over another one in %s', async (locale) => {
    const screens = [...Object.values(LISTS).map(({ place }) => place()), '/activity', '/settings'];
    screens.push('/rules', '/precision');
    const faults: string[] = [];
    for (const { device, widths } of [
      { device: PHONE, widths: [390, 360] },
      { device: DESKTOP, widths: [1280] },
    ]) {
      const { page, close } = await open({ ...device, locale });
      for (const screen of screens) {
        await page.goto(screen);
        await page.locator('#main h1').waitFor();
        await page.waitForLoadState('networkidle');
        for (const width of widths) {
          await page.setViewportSize({ ...device.viewport, width });
          const found = [...(await findTextFaults(page)), ...(await findCoveredButtons(page))];
          faults.push(...found.map((fault) => `${screen}, ${width} px: ${fault}`));
        }
      }
      await close();
    }
    expect(faults).toEqual([]);
  });
});

/** Buttons beside the title that something lies over, or that lie beside the screen. */
const findCoveredButtons = (page: Page): Promise<string[]> =>
  page.locator('#main header button').evaluateAll((buttons) =>
    buttons
      .filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        const corners = [
          document.elementFromPoint(left + 6, bottom - 6),
          document.elementFromPoint(right - 6, top + 6),
        ];
        return corners.some((element) => !button.contains(element));
      })
      .map((button) => `covered: ${button.textContent}`),
  );

/** How far the list of these rows is scrolled. */
const readScroll = (page: Page, rows: string): Promise<number> =>
  page.evaluate((selector) => {
    for (let at = document.querySelector(selector)?.parentElement; at; at = at.parentElement)
      if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at.scrollTop;
    return 0;
  }, rows);

const ask = async <Body>(path: string, data?: object): Promise<Body> => {
  const response = await first.visit.page.request[data ? 'post' : 'get'](web.stack.api + path, {
    headers: { origin: web.stack.web, 'content-type': 'application/json' },
    ...(data && { data }),
  });
  expect(response.ok()).toBe(true);
  return (await response.json()) as Body;
};

/** Every change of an email makes a record. */
const countRecords = async () =>
  (await ask<{ total: number }>('/api/v1/notifications/history/batches')).total;

/** What was asked of Gmail that changes an email. */
const readGmailChanges = async () =>
  (await listRequests(web.stack.google, USER))
    .filter(({ method, path }) => method !== 'GET' && /\/messages\//.test(path))
    .map(({ path }) => path);

/** Opens a window of the user. */
const open = async (options: BrowserContextOptions): Promise<Visit> =>
  web.open({ ...options, storageState: await first.visit.page.context().storageState() });

const web = useWebStack();
const first = {} as { visit: Visit; group: string; sender: string };

/** Scans the mailbox, and archives a little, so that every list has rows. */
beforeAll(async () => {
  if (!hasChromium) return;
  first.visit = await web.open();
  await web.openAs(first.visit.page, '/settings', USER);
  await ask('/api/v1/scans', {});
  await vi.waitFor(async () => {
    expect(await ask('/api/v1/suggestions/groups')).toMatchObject({ complete: true });
  }, SCAN);
  const { emails } = await ask<{ emails: { id: string }[] }>('/api/v1/emails?pageSize=3');
  for (const { id } of emails) await ask('/api/v1/inbox/actions', { emailIds: [id], action: 'archive' });
  const groups = await ask<{ data: { key: string }[] }>('/api/v1/suggestions/groups');
  first.group = String(groups.data[0]?.key);
  const senders = await ask<{ data: { from: string }[] }>('/api/v1/senders');
  first.sender = String(/<(.+)>/.exec(String(senders.data[0]?.from))?.[1]);
}, 180_000);
afterAll(async () => {
  await first.visit?.close();
});
