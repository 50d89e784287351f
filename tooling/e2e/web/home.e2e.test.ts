import type { ListSuggestionGroupsResponse, MailboxOverview } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, signInAs, skipReason } from './browser.ts';
import { clearFaults, orderFault } from './sandbox.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

/** A scan reads the whole mailbox of the sandbox. */
const LONG_WAIT = { timeout: 180_000 };

describe.skipIf(!hasChromium)(`the home screen${skipReason}`, { timeout: 480_000 }, () => {
  test('is where a sign-in leads, and where the first scan begins by itself, whose findings are counted up to the last', async () => {
    await page.goto('/sign-in');
    await signInAs(page, ownUser('ada'));
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await page.title()).toBe('Home · Mailsweep');
    await page.getByRole('heading', { name: /^\d+ emails can probably go/ }).waitFor();
    await page.getByRole('heading', { name: /^Mailsweep is now reading the rest of your mailbox/ }).waitFor();
    const review = page.getByRole('link', { name: /^Review/ });
    await review.waitFor(LONG_WAIT);
    const first = await countShown();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await expect.poll(countShown, LONG_WAIT).toBeGreaterThan(first);

    await page.getByText('Your whole mailbox is scanned').first().waitFor(LONG_WAIT);
    const { emails } = await readGroups();
    await expect.poll(countShown, LONG_WAIT).toBe(emails);
    await page.reload();
    await page.getByText(/^In your whole mailbox, scanned/).waitFor();
    expect(await countShown()).toBe(emails);
    await review.click();
    await page.waitForURL('**/suggestions?show=everything');
    await page.getByRole('heading', { level: 1, name: 'Suggestions' }).waitFor();
  });

  test.each([
    ['/', 'text=/^In your whole mailbox, scanned/'],
    ['/inbox', '[role=row]'],
    ['/suggestions', 'text=/^From your whole mailbox/'],
    ['/senders', '[data-row-id]'],
  ])('%s takes the responses that the page has requested beforehand', async (place, sign) => {
    await web.openAs(page, place, ownUser('ada'));
    // What this page still asks for is not the next one's.
    await page.waitForLoadState('networkidle');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const links = await (await page.goto(place))?.headerValue('link');
    await page.locator(sign).first().waitFor();
    const beforehand = [...(links ?? '').matchAll(/<([^>]+)>; rel=preload; as=fetch/g)].map(
      ([, url = '']) => url,
    );
    expect(beforehand.length).toBeGreaterThan(1);
    const toPath = (url: string) => url.replace(/\?.*/, '');
    const paths = new Set(beforehand.map(toPath));
    // A request with other parameters would be one more to the same path. Where nothing is sure, the screen goes on to less
    // sure groups.
    const toThose = requested.filter(
      (url) => paths.has(toPath(url)) && (beforehand.includes(url) || !url.includes('/groups?by=sender')),
    );
    expect(toThose.toSorted()).toEqual(beforehand.toSorted());
  });

  test('is a picture of the inbox: each tile as large as what its sender has there, and a way to the sender', async () => {
    await web.openAs(page, '/', ownUser('ada'));
    const tiles = page.getByRole('list', { name: /^Who / }).getByRole('button');
    await tiles.nth(3).waitFor(LONG_WAIT);
    await page.waitForLoadState('networkidle');
    const read = (tile: Locator) =>
      tile.evaluate((element) => {
        const { width, height } = (element.parentElement as HTMLElement).getBoundingClientRect();
        const emails = Number(/: ([\d,]+) email/.exec((element as HTMLElement).title)?.[1]?.replace(',', ''));
        return (width * height) / emails;
      });
    const areas = await Promise.all((await tiles.all()).map(read));
    for (const area of areas) expect(area / (areas[0] as number)).toBeCloseTo(1, 1);
    const name = (await tiles.first().getAttribute('title'))?.replace(/: [\d,]+ email.*$/, '') ?? '';
    await tiles.first().click();
    await page.getByRole('dialog').getByText(name).first().waitFor();
  });

  test('does not scan again by itself for who stopped the scan', async () => {
    // The scan is still running when it is stopped.
    const user = ownUser('grace');
    await orderFault(web.stack.google, {
      user,
      kind: 'delay',
      delayMs: 5_000,
      path: '/messages$',
      times: 500,
    });
    await web.openAs(page, '/', user);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('heading', { name: 'You stopped the scan' }).waitFor();
    await clearFaults(web.stack.google);
    await page.reload();
    await page.getByRole('button', { name: 'Scan again' }).waitFor();
    const scans = await page.request.get(`${web.stack.api}/api/v1/scans`);
    expect((await scans.json()).total).toBe(1);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  test('counts again once an action is undone from there', async () => {
    await web.openAs(page, '/inbox', ownUser('ada'));
    await page.locator('[data-row-id]').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByRole('alert').getByText('1 email archived').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    const inInbox = page
      .getByRole('region', { name: 'Your mailbox' })
      .getByRole('link', { name: /^[\d,]+ in the inbox/ });
    await inInbox.waitFor();
    const count = async () => toNumber(/[\d,]+/.exec((await inInbox.textContent()) ?? '')?.[0] ?? '');
    const before = await count();
    await page.keyboard.press('z');
    await expect.poll(count).toBe(before + 1);
  });

  test('shows the counts of Gmail, each the way to its emails', async () => {
    await web.openAs(page, '/', ownUser('ada'));
    const numbers = page.getByRole('region', { name: 'Your mailbox' });
    const promotions = numbers.getByRole('link', { name: /^Promotions/ });
    await promotions.getByText(/\d/).first().waitFor();
    const shown = await numbers.getByRole('link').allTextContents();
    const response = await page.request.get(`${web.stack.api}/api/v1/mailbox?detailed=true`);
    const { inbox, inboxCategories } = (await response.json()) as MailboxOverview;
    expect(shown.map(toNumber)).toEqual([
      inbox.total,
      inbox.unread,
      ...(inboxCategories ?? []).map(({ total }) => total),
    ]);
    await promotions.click();
    await page.waitForURL('**/inbox?category=promotions');
    await page.locator('[role=row]').first().waitFor();
  });

  test('cleans a category from its number: the plan first, then all of it, and undo', async () => {
    await web.openAs(page, '/', ownUser('ada'));
    const numbers = page.getByRole('region', { name: 'Your mailbox' });
    const social = numbers.getByRole('link', { name: /^Social/ });
    const count = async () => toNumber((await social.textContent()) ?? '');
    await numbers.getByRole('button', { name: /^Social: Archive [\d,]+…$/ }).click();
    const before = await count();
    const dialog = page.getByRole('dialog');
    const yes = dialog.getByRole('button', { name: /^Archive [\d,]+$/ });
    await yes.waitFor(LONG_WAIT);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    const planned = toNumber((await yes.textContent()) ?? '');
    expect(planned).toBeGreaterThan(0);
    await yes.click();
    await page.getByRole('alert').getByRole('button', { name: /^Undo/ }).waitFor(LONG_WAIT);
    await expect.poll(count, LONG_WAIT).toBe(before - planned);
    await page.keyboard.press('z');
    await expect.poll(count, LONG_WAIT).toBe(before);
  });

  test('says so when a mailbox is empty, and scans nothing', async () => {
    await web.openAs(page, '/', ownUser('katherine'));
    await page.getByRole('heading', { name: 'Your mailbox is empty' }).waitFor();
    expect(await page.getByRole('button', { name: 'Scan my mailbox' }).count()).toBe(0);
    const scans = await page.request.get(`${web.stack.api}/api/v1/scans`);
    expect((await scans.json()).total).toBe(0);
    expect(await findAccessibilityFaults(page)).toEqual([]);
  });
});

/** The number on the button, which is the way to so many suggestions. */
const countShown = async (): Promise<number> => {
  const text = await page.getByRole('link', { name: /^Review/ }).textContent();
  return toNumber(text ?? '');
};

const toNumber = (text: string): number => Number(text.replaceAll(/\D/g, ''));

const readGroups = async (): Promise<ListSuggestionGroupsResponse> => {
  const response = await page.request.get(
    `${web.stack.api}/api/v1/suggestions/groups?by=classification&perPage=100`,
  );
  return (await response.json()) as ListSuggestionGroupsResponse;
};

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
});
