import type { ListSuggestionGroupsResponse } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
const ACCEPTED = /^\d+ emails? (archived|labelled|moved to Trash)|^\d+ archived,/;
/** A cleanup is planned and executed by the server, within Gmail's quota. */
const LONG_WAIT = { timeout: 60_000 };

describe.skipIf(!hasChromium)(`suggestions and history in a browser${skipReason}`, () => {
  test('a group is accepted by keyboard after its consequences were shown, and the next group follows', async () => {
    const first = await activeGroup(page).textContent();
    const title = await page.getByRole('heading', { level: 2 }).textContent();
    await page
      .getByText(/leaves? the inbox|the label|stays? where/)
      .first()
      .waitFor();
    await page.keyboard.press('y');
    await toast(page, ACCEPTED).waitFor(LONG_WAIT);
    expect(await activeGroup(page).textContent()).not.toBe(first);

    await page.keyboard.press('z');
    await toast(page, /Undone: \d+ emails? put back/).waitFor(LONG_WAIT);
    const groups = page.getByRole('list', { name: 'Groups of suggestions' }).getByRole('button');
    // What was undone was not accepted: the group is back, and less sure.
    await groups
      .filter({ hasText: title ?? '' })
      .first()
      .waitFor(LONG_WAIT);
  });

  test('keys walk through the groups, and a rejected group moves no email', async () => {
    await page.keyboard.press('j');
    const second = await page.getByRole('heading', { level: 2 }).textContent();
    await page.keyboard.press('n');
    await toast(page, /left as (it was|they were)/).waitFor();
    await expect.poll(() => page.getByRole('heading', { level: 2 }).textContent()).not.toBe(second);
    await page.goto('/history?action=reject');
    await page.getByText('Nothing moved').first().waitFor();
  });

  test('Tab leads from the open group to what can be done with it, past all other groups', async () => {
    await page.keyboard.press('j');
    const group = activeGroup(page);
    await group.focus();
    await page.keyboard.press('Tab');
    await page
      .getByRole('region', { name: /^Suggestions: / })
      .locator(':focus')
      .waitFor();
    await page.keyboard.press('Shift+Tab');
    await page.locator('button[aria-current=true]:focus').waitFor();
  });

  test('an email is looked at and decided about alone, and the next one follows', async () => {
    await page
      .getByRole('checkbox', { name: /^Include/ })
      .first()
      .waitFor();
    await page.keyboard.press('Space');
    const email = page.getByRole('complementary', { name: 'Email' });
    const subject = email.getByRole('heading', { level: 2 });
    const first = await subject.textContent();
    const shownId = () => new URL(page.url()).searchParams.get('email');
    const firstId = shownId();
    await email.getByText(/^You would agree with about \d+ of 100 like this$/).waitFor();
    await email.getByText(/You opened (none|all|\d+) of the last \d+ from this sender\./).waitFor();
    expect(await email.getByRole('link', { name: 'Read it in Gmail' }).getAttribute('href')).toContain(
      'mail.google.com',
    );
    await page.keyboard.press('n');
    await toast(page, '1 email left as it was').waitFor();
    // Two emails of a sender may have one subject.
    await expect.poll(shownId).not.toBe(firstId);
    await page.keyboard.press('Escape');
    await email.waitFor({ state: 'hidden' });
    await page.keyboard.press('z');
    await toast(page, 'Undone: 1 email put back').waitFor();
    await page
      .getByRole('checkbox', { name: `Include ${first}` })
      .first()
      .waitFor();
  });

  test('one email can be left out of its group', async () => {
    const accept = page.getByRole('button', { name: /^(Archive|Trash|Label|Keep) \d+ ?Y?$/ });
    const countOf = async () => Number(/\d+/.exec((await accept.textContent()) ?? '')?.[0]);
    const before = await countOf();
    await page
      .getByRole('checkbox', { name: /^Include/ })
      .first()
      .click();
    await expect.poll(countOf).toBe(before - 1);
  });

  test('a group and one email take another action than the suggested one, and undo takes it back', async () => {
    const group = await findArchivable(page);
    const accept = page.getByRole('region', { name: /^Suggestions: / });
    await page.getByRole('list', { name: 'Groups of suggestions' }).getByText(group.name).first().click();
    await page.getByRole('heading', { level: 2, name: group.name }).waitFor();
    await accept.getByLabel('What to do').selectOption({ label: 'Mark read' });
    await accept.getByText(/(is|are) marked read and stays? where/).waitFor();
    await accept.getByRole('button', { name: /^Mark \d+ read(?! and)/ }).click();
    await toast(page, /^\d+ emails? marked read/).waitFor(LONG_WAIT);
    await page.keyboard.press('z');
    await toast(page, /Undone: \d+ emails? put back/).waitFor(LONG_WAIT);

    const box = page.getByRole('checkbox', { name: /^Include/ }).first();
    const subject = ((await box.getAttribute('aria-label')) ?? '').replace('Include ', '');
    await page.keyboard.press('Space');
    const email = page.getByRole('complementary', { name: 'Email' });
    await email.getByLabel('What to do').selectOption({ label: 'Trash' });
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await email.getByRole('button', { name: /^Trash 1/ }).click();
    await toast(page, '1 email moved to Trash').waitFor();
    await page.goto('/history?source=suggestions&action=delete');
    const entry = page.getByRole('main').getByRole('listitem').first();
    await entry.getByRole('button', { expanded: false }).click();
    await entry.getByText(subject).first().waitFor();
  });

  test('all emails of a group are unticked and ticked by one press', async () => {
    const all = page.getByRole('checkbox', { name: 'Select all' });
    const boxes = page.getByRole('checkbox', { name: /^Include/ });
    await boxes.first().waitFor();
    await boxes.first().click();
    await expect.poll(() => all.isChecked()).toBe(false);
    await all.click();
    await expect.poll(() => boxes.first().isChecked()).toBe(true);
    expect(await all.isChecked()).toBe(true);
  });

  test('how sure suggestions are is chosen, and everything shown in numbers before it happens', async () => {
    await page.goto('/suggestions?show=everything');
    await page.getByText(/^All \d+$/).waitFor();
    await page.getByText(/^Safe or probable \d+$/).click();
    await page.waitForURL(/show=likely/);
    await activeGroup(page).waitFor();
    await page.keyboard.press('Shift+Y');
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Accept the suggestions for [\d,]+ emails\?$/).waitFor(LONG_WAIT);
    await dialog
      .getByText(/leaves? the inbox|the label|stays? where/)
      .first()
      .waitFor();
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
    await toast(page, ACCEPTED).waitFor(LONG_WAIT);
    await page.goto('/history');
    const entry = page.getByRole('listitem').filter({ hasText: 'Accepted suggestions' }).first();
    await entry.getByRole('checkbox').click();
    await page.keyboard.press('Shift+Z');
    await toast(page, /^Undone for \d+ emails?$/).waitFor();
    await entry.getByText('Undone', { exact: true }).waitFor();
  });

  test('the history is filtered by the server, and the address holds the filters', async () => {
    await page.keyboard.press('n');
    await toast(page, /left as (it was|they were)/).waitFor();
    await page.goto('/history?source=suggestions');
    const entries = page.getByRole('main').getByRole('listitem');
    await entries.first().waitFor();
    await page.getByLabel('Action').selectOption({ label: 'Rejected' });
    await page.waitForURL(/source=suggestions&action=reject/);
    await expect
      .poll(async () => (await entries.allTextContents()).every((text) => text.includes('Rejected')))
      .toBe(true);
    await page.getByLabel('Source').selectOption({ label: 'Inbox' });
    await page.waitForURL(/source=inbox&action=reject/);
    await page.getByRole('heading', { name: 'No such action' }).waitFor();
  });

  test('the history names email that this visit has not seen', async () => {
    await page.keyboard.press('n');
    await toast(page, /left as (it was|they were)/).waitFor();
    await page.goto('/history');
    const entry = page.getByRole('main').getByRole('listitem').first();
    await entry.getByRole('button', { expanded: false }).click();
    const subject = entry.getByRole('link', { name: /./ }).first();
    await expect.poll(() => subject.textContent()).not.toMatch(/^Email /);
  });

  test('the activity shows what was cleaned and decided', async () => {
    await page.keyboard.press('y');
    await toast(page, ACCEPTED).waitFor(LONG_WAIT);
    await page.goto('/activity');
    const kinds = page.getByRole('table', { name: 'Accepted suggestions by kind' });
    await kinds
      .getByText(/^\d+% of \d+$/)
      .first()
      .waitFor();
    await page.getByRole('table', { name: 'Emails by action' }).waitFor();
  });

  test('after a whole group was archived, a rule for its sender is created by one press', async () => {
    const group = await findArchivable(page);
    await page.getByRole('list', { name: 'Groups of suggestions' }).getByText(group.name).first().click();
    await page.getByRole('heading', { level: 2, name: group.name }).waitFor();
    // A plan of more than the screen shows would be asked about first.
    await page.getByRole('button', { name: new RegExp(`^Archive ${group.emails} ?Y?$`) }).waitFor();
    await page.keyboard.press('y');
    const offer = page.getByRole('region', { name: 'Create a rule?' });
    await offer.getByText(`Always archive email from ${group.name} after 7 days?`).waitFor(LONG_WAIT);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await offer.getByRole('button', { name: 'Create rule' }).click();
    await toast(page, 'Rule created').waitFor();
    await offer.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('dialog', { name: `Archive email from ${group.name} after 7 days` });
    await preview.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('switch', { checked: true }).waitFor();
  });
});

const toast = (on: Page, text: RegExp | string): Locator => on.getByRole('alert').getByText(text).first();
const activeGroup = (on: Page): Locator => on.locator('button[aria-current=true]');

/** A sender whose suggestions archive, and do nothing else. */
const findArchivable = async (page: Page): Promise<{ name: string; emails: number }> => {
  const response = await page.request.get(`${web.stack.api}/api/v1/suggestions/groups?by=sender&perPage=100`);
  const { data } = (await response.json()) as ListSuggestionGroupsResponse;
  const group = data.find(({ actions, emails }) => actions.archive === emails);
  const [, name] = /^"?([^"<]+?)"? *</.exec(group?.from ?? '') ?? [];
  if (group === undefined || name === undefined) throw new Error('no sender has only email to archive');
  return { name, emails: group.emails };
};

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await web.openAs(page, '/suggestions?show=everything', USER);
  await activeGroup(page).waitFor();
});
