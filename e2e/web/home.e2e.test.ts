import type { ListSuggestionGroupsResponse, MailboxOverview } from '@mailsweep/contracts';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, signInAs, signInAt, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

/** A scan reads the whole mailbox of the sandbox. */
const LONG_WAIT = { timeout: 180_000 };

describe.skipIf(!hasChromium)(`the home screen${skipReason}`, { timeout: 240_000 }, () => {
  test('is where a sign-in leads, and where the first scan begins, whose findings are counted up to the last', async () => {
    await page.goto('/sign-in');
    await signInAs(page, 'ada@example.com');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(await page.title()).toBe('Home · Mailsweep');
    await page.getByText(/reads sender, subject, date and labels of every email/).waitFor();

    await page.getByRole('button', { name: 'Scan my mailbox' }).click();
    await page.getByRole('progressbar', { name: 'Scan of the mailbox' }).waitFor();
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

  test('leads from a card to the suggestions of that kind', async () => {
    await signInAt(page, '/', 'ada@example.com');
    const largest = (await readGroups()).data.find(({ actions }) => actions.archive || actions.delete);
    const card = page.getByRole('list', { name: 'Largest groups' }).getByRole('link').first();
    await card.click(LONG_WAIT);
    await page.waitForURL(`**/suggestions?by=reason&show=everything#${largest?.key}`);
  });

  test('scans the newest emails only for who puts the scan off, also on the next visit', async () => {
    await signInAt(page, '/', 'grace@example.com');
    await page.getByRole('button', { name: 'Not now' }).click();
    await page.getByText('In the emails scanned so far.').waitFor(LONG_WAIT);
    expect(await countShown()).toBe((await readGroups()).emails);
    const scans = await page.request.get(`${web.stack.api}/api/v1/scans`);
    expect((await scans.json()).total).toBe(0);
    await page.reload();
    await page.getByText('In the emails scanned so far.').waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
  });

  test('counts again once an action is undone from there', async () => {
    await signInAt(page, '/inbox', 'ada@example.com');
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
    await signInAt(page, '/', 'ada@example.com');
    const numbers = page.getByRole('region', { name: 'Your mailbox' });
    const promotions = numbers.getByRole('link', { name: /^Promotions/ });
    await promotions.getByText(/\d/).first().waitFor();
    const shown = await numbers.getByRole('link').allTextContents();
    const response = await page.request.get(`${web.stack.api}/api/v1/mailbox`);
    const { inbox, categories } = (await response.json()) as MailboxOverview;
    expect(
      shown.map((text) =>
        text
          .match(/[\d,]+/g)
          ?.map(toNumber)
          .toSorted((a, b) => a - b),
      ),
    ).toEqual([
      [inbox.total],
      [inbox.unread],
      ...categories.map(({ total, unread }) => (unread > 0 ? [unread, total] : [total])),
    ]);
    await promotions.click();
    await page.waitForURL('**/inbox?category=promotions&scope=all');
    await page.locator('[role=row]').first().waitFor();
  });

  test('says so when a mailbox is empty', async () => {
    await signInAt(page, '/', 'katherine@example.com');
    await page.getByRole('button', { name: 'Scan my mailbox' }).click();
    await page.getByRole('heading', { name: 'Your mailbox is empty' }).waitFor(LONG_WAIT);
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
