import type { Cleanup, ListSuggestionGroupsResponse } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { showMadeUpSuggestions } from './made-up-mailbox.ts';
import { clearFaults, orderFault } from './sandbox.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

/** The sandbox counts quota units as Gmail does. */
const LONG_WAIT = { timeout: 180_000 };
/** Most groups and emails that may be in the document at a time. */
const MAX_ROWS = 80;

describe.skipIf(!hasChromium)(
  `suggestions of the whole mailbox in a browser${skipReason}`,
  { timeout: 480_000 },
  () => {
    test('fill up by themselves while the mailbox is scanned, and the open group stays', async () => {
      const before = await countLikely();
      await activeGroup().click();
      const title = await page.getByRole('heading', { level: 2 }).textContent();
      await page.getByRole('button', { name: 'Scan my mailbox' }).click();
      await expect.poll(countLikely, LONG_WAIT).toBeGreaterThan(before);
      await page.getByText('From your whole mailbox').waitFor(LONG_WAIT);
      expect(await page.getByRole('heading', { level: 2 }).textContent()).toBe(title);

      const { confidence } = await readGroups('');
      await expect.poll(countLikely, LONG_WAIT).toBe(confidence.likely);
      expect(confidence.likely).toBeGreaterThan(40);
      // Nothing is sure before the user has decided.
      expect(confidence.sure).toBe(0);
    });

    test('are accepted as one cleanup of exactly what is ticked, after a look at what goes to the trash', async () => {
      await lookedThrough();
      const { emails, actions } = await readGroups('?minAcceptance=0.75');
      const { emails: open } = await readGroups('');
      const box = page.getByRole('checkbox', { name: /^Include/ }).first();
      const subject = ((await box.getAttribute('aria-label')) ?? '').replace('Include ', '');
      const untickedId = await page
        .getByRole('list', { name: 'Emails of this group' })
        .locator('[data-row-id]')
        .first()
        .getAttribute('data-row-id');
      await box.click();

      await page.getByRole('button', { name: /^(Archive|Trash|Label) .*\d…$/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/^Accept the suggestions for [\d,]+ emails\?$/).waitFor(LONG_WAIT);
      const [plan] = await listCleanups();
      expect(plan).toMatchObject({ state: 'planned', action: 'accept' });
      const excluded = Object.values(plan?.excluded ?? {}).reduce((sum, count) => sum + count, 0);
      expect(Number(plan?.total) + excluded).toBeGreaterThanOrEqual(emails - 1);
      expect(Number(plan?.total)).toBeLessThan(emails);
      await dialog.getByText(`Accept the suggestions for ${format(plan?.total)} emails?`).waitFor();

      const trash = dialog.getByRole('region', { name: 'Emails that move to Trash' });
      await dialog.getByText(`${format(plan?.plannedActions.delete)} emails for the trash`).waitFor();
      await expect.poll(() => trash.getByRole('listitem').first().textContent()).toMatch(/\w{3}/);
      expect(plan?.plannedActions.delete).toBeLessThanOrEqual(Number(actions.delete));
      expect(await findAccessibilityFaults(page)).toEqual([]);

      // One more is left out in the list itself.
      await trash
        .getByRole('checkbox', { name: /^Include/ })
        .first()
        .click();
      const total = Number(plan?.total) - 1;
      const words = `trash ${format(Number(plan?.plannedActions.delete) - 1)}`;
      await dialog.getByRole('button', { name: new RegExp(`^Archive [\\d,]+, ${words}`) }).click();
      await toast(/^[\d,]+ archived, [\d,]+ moved to Trash/).waitFor(LONG_WAIT);
      const [done] = await listCleanups();
      expect(done).toMatchObject({ state: 'completed', changed: total });
      const trashed = Number(plan?.plannedActions.delete) - 1;
      expect(done?.changedActions).toEqual({ ...plan?.plannedActions, delete: trashed });
      await page
        .getByRole('checkbox', { name: `Include ${subject}` })
        .first()
        .waitFor(LONG_WAIT);
      const left = await readStored('?minAcceptance=0.75');
      expect(left).toContain(untickedId);
      // What was accepted makes others surer.
      expect(left.length).toBeGreaterThanOrEqual(emails - total);

      await page.keyboard.press('z');
      await toast(`Undone: ${format(total)} emails put back`).waitFor(LONG_WAIT);
      // They are suggested again. What was undone was not accepted, so that they are less sure now.
      await expect.poll(async () => (await readGroups('')).emails, LONG_WAIT).toBe(open);
    });

    test('that are being accepted can be paused, and resumed after a reload', async () => {
      await lookedThrough();
      const path = '/batchModify|/modify';
      await orderFault(web.stack.google, { user, kind: 'unavailable', path, times: 500 });
      const total = await startAcceptingAll();
      await page.reload();
      const banner = page.getByRole('region', { name: 'Cleanup in progress' });
      await banner.getByRole('button', { name: 'Pause' }).click();
      await banner.getByText(/^Paused at/).waitFor(LONG_WAIT);
      expect(await findAccessibilityFaults(page)).toEqual([]);

      await page.reload();
      await banner.getByText(/^Paused at/).waitFor(LONG_WAIT);
      await clearFaults(web.stack.google);
      await banner.getByRole('button', { name: 'Resume' }).click();
      await toast(/archived/).waitFor(LONG_WAIT);
      await banner.waitFor({ state: 'hidden' });
      expect((await listCleanups())[0]).toMatchObject({ state: 'completed', processed: total });
    });

    test('scroll to their end though there are 10,000, and only what is in sight is in the document', async () => {
      const { groups, inFirst } = await showMadeUpSuggestions(page, 10_000);
      await page.reload();
      const lists = [
        { name: 'Emails of this group', last: inFirst },
        { name: 'Groups of suggestions', last: groups },
      ];
      for (const { name, last } of lists) {
        const list = page.getByRole('list', { name });
        await list.getByRole('button').first().hover();
        const end = list.locator(`li[aria-posinset="${last}"]`);
        await expect
          .poll(
            async () => {
              await page.mouse.wheel(0, 20_000);
              expect(await page.locator('[data-row-id]').count()).toBeLessThan(MAX_ROWS);
              return end.count();
            },
            { ...LONG_WAIT, interval: 50 },
          )
          .toBe(1);
      }
      await page.getByText('Archive 10,000…').waitFor();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
    });
  },
);

const activeGroup = (): Locator => page.locator('button[aria-current=true]');
const toast = (text: RegExp | string): Locator => page.getByRole('alert').getByText(text).first();
const format = (count: number | undefined): string => Number(count).toLocaleString('en-US');

/** The number beside the choice of sure and likely suggestions. */
const countLikely = async (): Promise<number> => {
  const text = await page.getByText(/^Safe or probable( [\d,]+)?$/).textContent();
  return Number(text?.replaceAll(/\D/g, ''));
};

/** Has the whole mailbox scanned, where no test has done so. */
const lookedThrough = async (): Promise<void> => {
  const offer = page.getByRole('button', { name: 'Scan my mailbox' });
  const done = page.getByText('From your whole mailbox');
  await offer.or(done).waitFor(LONG_WAIT);
  if (await offer.isVisible()) await offer.click();
  await done.waitFor(LONG_WAIT);
  await activeGroup().waitFor(LONG_WAIT);
  await page.reload();
  await page
    .getByRole('checkbox', { name: /^Include/ })
    .first()
    .waitFor(LONG_WAIT);
};

/** Confirms that everything shown is accepted. */
const startAcceptingAll = async (): Promise<number> => {
  await page.keyboard.press('Shift+Y');
  const yes = page.getByRole('dialog').getByRole('button', { name: /^(Archive|Trash|Label) \d/ });
  await yes.waitFor(LONG_WAIT);
  const total = (await listCleanups())[0]?.total;
  await yes.click();
  await expect.poll(async () => (await listCleanups())[0]?.state).not.toBe('planned');
  // Until the page knows that, it would start it again after a reload, and show it in a toast.
  await toast(/^0 of /).waitFor(LONG_WAIT);
  return Number(total);
};

const askApi = async <T>(path: string): Promise<T> => {
  const response = await page.request.get(`${web.stack.api}/api/v1${path}`);
  return (await response.json()) as T;
};
const readGroups = (query: string) => askApi<ListSuggestionGroupsResponse>(`/suggestions/groups${query}`);
const readStored = async (query: string): Promise<string[]> =>
  (await askApi<{ data: { id: string }[] }>(`/suggestions/stored${query}&perPage=100`)).data.map(
    ({ id }) => id,
  );
const listCleanups = async (): Promise<Cleanup[]> => (await askApi<{ data: Cleanup[] }>('/cleanups')).data;

const web = useWebStack();
let page: Page;
let user: string;
useFreshVisit(web, async (fresh, attempt) => {
  page = fresh;
  user = ownUser('ada', attempt);
  await signInAt(page, '/suggestions', user);
  await activeGroup().waitFor(LONG_WAIT);
});
