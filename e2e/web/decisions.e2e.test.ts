import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const PERSON = 'ada@example.com';

describe.skipIf(!hasChromium)(`suggestions and history in a browser${skipReason}`, () => {
  test('a group is accepted by keyboard after its consequences were shown, and the next group follows', async () => {
    const first = await activeGroup(page).textContent();
    await page
      .getByText(/leaves? the inbox|moves? to Trash|the label|stays? where/)
      .first()
      .waitFor();
    await page.keyboard.press('y');
    await toast(page, /emails? processed/).waitFor();
    expect(await activeGroup(page).textContent()).not.toBe(first);

    await page.keyboard.press('z');
    await toast(page, /Undone: \d+ emails? put back/).waitFor();
    const groups = page.getByRole('list', { name: 'Groups of suggestions' }).getByRole('button');
    await expect.poll(() => groups.allTextContents()).toContain(first);
  });

  test('keys walk through the groups, and a rejected group moves no email', async () => {
    await page.keyboard.press('j');
    const second = await page.getByRole('heading', { level: 2 }).textContent();
    await page.keyboard.press('n');
    await toast(page, /left as they were/).waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 2 }).textContent()).not.toBe(second);
    await page.goto('/history?action=reject');
    await page.getByText('Nothing moved').first().waitFor();
  });

  test('one email can be left out of its group', async () => {
    const accept = page.getByRole('button', { name: /^Accept \d+ ?Y?$/ });
    const countOf = async () => Number(/\d+/.exec((await accept.textContent()) ?? '')?.[0]);
    const before = await countOf();
    await page
      .getByRole('checkbox', { name: /^Include/ })
      .first()
      .click();
    await expect.poll(countOf).toBe(before - 1);
  });

  test('everything above a confidence is shown in numbers before it happens', async () => {
    await page.getByLabel('Least confidence').selectOption({ label: 'At least 80% sure' });
    await page.waitForURL(/sure=80/);
    await page.keyboard.press('Shift+Y');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/This affects \d+ emails? from \d+ senders?:/).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  });

  test('suggestions group by reason as well', async () => {
    await page.getByText('By reason').click();
    await page.waitForURL(/by=reason/);
    await page.getByRole('list', { name: 'Groups of suggestions' }).getByText('Bulk email').first().waitFor();
  });

  test('the history undoes a whole entry, and says so', async () => {
    await page.keyboard.press('y');
    await toast(page, /emails? processed/).waitFor();
    await page.goto('/history');
    const entry = page.getByRole('listitem').filter({ hasText: 'Accepted suggestions' }).first();
    await entry.getByRole('checkbox').click();
    await page.keyboard.press('Shift+Z');
    await toast(page, /^Undone for \d+ emails?$/).waitFor();
    await entry.getByText('Undone', { exact: true }).waitFor();
  });

  test('the history is filtered by the server, and the address holds the filters', async () => {
    await page.keyboard.press('n');
    await toast(page, /left as they were/).waitFor();
    await page.goto('/history?source=suggestions');
    const entries = page.getByRole('main').getByRole('listitem');
    await entries.first().waitFor();
    await page.getByLabel('Action').selectOption({ label: 'Rejected' });
    await page.waitForURL(/source=suggestions&action=reject/);
    await expect
      .poll(async () => (await entries.allTextContents()).every((text) => text.includes('Rejected')))
      .toBe(true);
    await page.getByText('Inbox', { exact: true }).last().click();
    await page.waitForURL(/source=inbox&action=reject/);
    await page.getByRole('heading', { name: 'No such action' }).waitFor();
  });

  test('the history names email that this visit has not seen', async () => {
    await page.keyboard.press('n');
    await toast(page, /left as they were/).waitFor();
    await page.goto('/history');
    const entry = page.getByRole('main').getByRole('listitem').first();
    await entry.getByRole('button', { expanded: false }).click();
    const subject = entry.getByRole('link', { name: /./ }).first();
    await expect.poll(() => subject.textContent()).not.toMatch(/^Email /);
  });

  test('the activity shows what was suggested and decided', async () => {
    await page.keyboard.press('y');
    await toast(page, /emails? processed/).waitFor();
    await expect
      .poll(
        async () => {
          await page.goto('/activity');
          await page.locator('ol li').first().waitFor();
          return page.getByText(/You accepted suggestions for/).count();
        },
        { timeout: 20_000, interval: 1_000 },
      )
      .toBeGreaterThan(0);
    await page.getByRole('table', { name: 'Classifications' }).getByText('Bulk email').waitFor();
  });
});

const toast = (on: Page, text: RegExp): Locator => on.getByRole('alert').getByText(text).first();
const activeGroup = (on: Page): Locator => on.locator('button[aria-current=true]');

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await signInAt(page, '/suggestions', PERSON);
  await activeGroup(page).waitFor();
});
