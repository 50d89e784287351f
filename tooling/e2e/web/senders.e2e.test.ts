import type { Cleanup, ListSenderEmailsResponseSchema, Sender } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { z } from 'zod';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { clearFaults, orderFault } from './sandbox.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
/** A scan reads some 1,500 emails from the sandbox. */
const SCAN = { timeout: 90_000 };

describe.skipIf(!hasChromium)(
  `senders and the scan of the whole mailbox in a browser${skipReason}`,
  { timeout: 180_000 },
  () => {
    useFreshVisit(web, async (fresh) => {
      page = fresh;
      await web.openAs(page, '/senders', USER);
    });

    test('the scan is offered where there is nothing yet, tells how far it is, and ends with the senders', async () => {
      await page.getByRole('heading', { name: 'See who fills your mailbox' }).waitFor();
      const progress = page.waitForResponse(/\/api\/v1\/scans\/[0-9a-f-]+$/);
      await page.getByRole('button', { name: 'Scan my mailbox' }).click();
      expect((await progress).headers().etag).toBeTruthy();
      await page.getByRole('progressbar', { name: 'Scan of the mailbox' }).waitFor();
      await page.getByText(/^[\d,]+ of about [\d,]+ emails/).waitFor(SCAN);

      // Leaving meanwhile loses nothing.
      await page.goto('/suggestions');
      await page.getByText(/Scanning your mailbox|From your whole mailbox/).waitFor(SCAN);
      await page.goto('/senders');
      await page.getByRole('button', { name: 'Scan again' }).waitFor(SCAN);
      const { total } = await askApi<{ total: number }>('/api/v1/senders');
      expect(await page.getByRole('grid', { name: 'Senders' }).getAttribute('aria-rowcount')).toBe(
        String(total + 1),
      );
    });

    test('all email of a sender is archived by keyboard, as announced, and comes back with one key', async () => {
      await scanned();
      const first = async () => (await askApi<{ data: Sender[] }>('/api/v1/senders')).data[0];
      const before = (await first())?.inInbox ?? 0;
      expect(before).toBeGreaterThan(10);
      const archive = async () => {
        await page.keyboard.press('e');
        const dialog = page.getByRole('dialog', { name: /^Archive [\d,]+ emails\?$/ });
        await dialog.getByRole('button', { name: /^Archive / }).click();
        await toast(page, /emails archived/).waitFor();
        return completed();
      };

      await page.keyboard.press('j');
      const done = await archive();
      expect(done.changed + leftOut(done)).toBe(before);
      await expect.poll(async () => (await first())?.inInbox).toBe(leftOut(done));
      await page.keyboard.press('Enter');
      const sheet = page.getByRole('dialog');
      await sheet.getByText(`, ${leftOut(done)} in the inbox`).waitFor();
      await page.keyboard.press('Escape');
      await sheet.waitFor({ state: 'hidden' });
      const offer = page.getByRole('region', { name: 'Create a rule?' });
      await offer.getByText(/^Always archive email from .+ after 7 days\?$/).waitFor();
      await page.keyboard.press('z');
      await toast(page, `Undone: ${done.changed} emails put back`).waitFor();
      await offer.waitFor({ state: 'hidden' });
      await expect.poll(async () => (await first())?.inInbox).toBe(before);

      // A reload empties what the key undoes, but not the history.
      const again = await archive();
      await page.goto('/history');
      await page.getByRole('main').getByRole('listitem').first().getByRole('checkbox').click();
      await page.keyboard.press('Shift+Z');
      await toast(page, `Undone for ${again.changed} emails`).waitFor();
      await expect.poll(async () => (await first())?.inInbox).toBe(before);
    });

    test('the emails of a sender are one click away, and Back leads to the list again', async () => {
      await scanned();
      const { data } = await askApi<{ data: Sender[] }>('/api/v1/senders');
      await rows(page).first().getByRole('gridcell').nth(1).click();
      await page.getByRole('dialog').getByRole('link', { name: 'Show these emails' }).click();
      await page.waitForURL(/\/inbox\?/);
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      const address = data[0] ? addressOf(data[0]) : '';
      await expect.poll(() => page.getByRole('searchbox').first().inputValue()).toBe(`from:${address}`);
      await expect.poll(() => rows(page).count()).toBeGreaterThan(5);
      await page.goBack();
      await page.waitForURL(/\/senders$/);
      await rows(page).first().waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
    });

    test('deleting all of a sender asks first in exact numbers, pauses where Gmail refuses, goes on, and is undone', async () => {
      await scanned();
      const { sender, ids } = await findSmallSender();
      await page.getByRole('searchbox', { name: 'Find a sender by name or address' }).fill(addressOf(sender));
      await expect.poll(() => rows(page).count()).toBe(1);
      await page.keyboard.press('Enter');
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.keyboard.press('#');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: `Move ${ids.length} emails to Trash?` }).waitFor();
      const { google } = web.stack;
      await orderFault(google, {
        user: USER,
        kind: 'forbidden',
        path: `/messages/${ids[0]}`,
        method: 'POST',
        times: 20,
      });
      await dialog.getByRole('button', { name: `Trash ${ids.length}` }).click();
      await toast(page, `Paused at ${ids.length - 1} of ${ids.length}`).waitFor();
      await expect.poll(() => rows(page).first().textContent()).toContain('1email');

      await clearFaults(google);
      await page.getByRole('alert').getByRole('button', { name: 'Resume' }).click();
      await toast(page, `${ids.length} emails moved to Trash`).waitFor();
      await undoShown(ids.length);
      await expect.poll(() => rows(page).first().textContent()).toContain(`${ids.length}emails`);
    });

    test('what is suggested for a sender is accepted in its sheet, one of the emails left out', async () => {
      await scanned();
      await page.goto('/senders?sort=suggested');
      await rows(page).first().click();
      const accept = page.getByRole('button', { name: /^Accept \d+ suggestions$/ });
      await accept.click();
      const dialog = page.getByRole('dialog', { name: /^Accept the suggestions for \d+ emails\?$/ });
      await dialog.getByText(/\d+ emails move to Trash/).waitFor();
      const title = await dialog.getByRole('heading').first().textContent();
      const count = Number(/\d+/.exec(title ?? '')?.[0]);
      await dialog
        .getByRole('checkbox', { name: /^Include/ })
        .first()
        .click();
      await dialog.getByRole('button', { name: /^(Archive|Trash|Label) \d/ }).click();
      // The sheet stays, and then has nothing to accept.
      await expect.poll(() => page.getByRole('dialog').count()).toBe(1);
      await toast(page, /archived|moved to Trash/).waitFor();
      await page.keyboard.press('Escape');
      // Keys belong to the sheet until it has closed.
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      await undoShown(count - 1);
    });

    test('a click with Shift selects the senders in between, and a tap accepts what is suggested for them', async () => {
      await scanned();
      const { data } = await askApi<{ data: Sender[] }>('/api/v1/senders');
      const tick = (row: number) => rows(page).nth(row).getByRole('checkbox');
      await rows(page).nth(1).hover();
      await tick(1).click();
      await rows(page).nth(4).hover();
      await tick(4).click({ modifiers: ['Shift'] });
      const bar = page.getByRole('toolbar', { name: 'Selected senders' });
      await bar.getByText('4 senders').waitFor();
      const suggested = data.slice(1, 5).reduce((sum, sender) => sum + sender.suggested, 0);
      await bar.getByRole('button', { name: /^(Archive|Trash|Label) \d/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('heading', { name: /^Accept the suggestions for \d+ emails\?$/ }).waitFor();
      await dialog.getByRole('button', { name: /^(Archive|Trash|Label) \d/ }).click();
      await toast(page, /archived|moved to Trash/).waitFor();
      const done = await completed();
      // What is withheld of protected email is left out, too.
      expect(done.total + leftOut(done)).toBeGreaterThanOrEqual(suggested);
      expect(done.total).toBeLessThanOrEqual(suggested);
      await undoShown(done.total);
    });

    test('everything from five senders is one cleanup, exact to the last email, and one undo', async () => {
      await scanned();
      const { data } = await askApi<{ data: Sender[] }>('/api/v1/senders?sort=unread');
      const five = data.slice(0, 5);
      const count = five.reduce((sum, { mails }) => sum + mails, 0);
      const earlier = await listCleanups();
      await page.goto('/senders?sort=unread');
      await rows(page).first().waitFor();
      await page.keyboard.press('j');
      for (let more = 1; more < 5; more += 1) await page.keyboard.press('Shift+J');
      await page.getByRole('toolbar', { name: 'Selected senders' }).getByText('5 senders').waitFor();
      await page.keyboard.press('#');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('region', { name: 'Emails that move to Trash' }).waitFor();
      await dialog.getByRole('button', { name: /^Trash [\d,]+$/ }).click();
      await toast(page, /emails moved to Trash/).waitFor();
      const done = await completed();
      expect((await listCleanups()).total).toBe(earlier.total + 1);
      expect(done.changed + leftOut(done)).toBe(count);
      const remaining = async () => {
        const totals = await Promise.all(
          five.map(({ id }) => askApi<{ total: number }>(`/api/v1/senders/${id}/emails`)),
        );
        return totals.reduce((sum, { total }) => sum + total, 0);
      };
      await expect.poll(remaining).toBe(leftOut(done));

      await undoShown(done.changed);
      await expect.poll(remaining).toBe(count);
    });

    test('a sender is protected beside their email, left out of a deletion, and no longer protected in the settings', async () => {
      await scanned();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Keep: protect this sender' }).click();
      await toast(page, /^Protected: /).waitFor();
      await page.getByRole('button', { name: 'Protected: end the protection' }).waitFor();
      const { data } = await askApi<{ data: Sender[] }>('/api/v1/protections');
      expect(data).toHaveLength(1);

      await page.goto('/senders');
      await rows(page).first().waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('x');
      await page.keyboard.press('#');
      await toast(page, 'Nothing was changed: protected').waitFor();
      await rows(page).first().getByRole('img', { name: 'Protected' }).waitFor();

      await page.goto('/settings');
      await page.getByRole('button', { name: /^Remove / }).click();
      await page.getByText('No sender is protected').waitFor();
      await toast(page, /^No longer protected: /).waitFor();
      await page.getByRole('button', { name: 'Undo' }).first().click();
      await page.getByRole('button', { name: /^Remove / }).click();
      await page.getByText('No sender is protected').waitFor();
    });

    test('many senders are looked through in the order asked for, and the address holds it', async () => {
      await scanned();
      await page.getByRole('button', { name: 'Size' }).click();
      await page.waitForURL(/sort=bytes/);
      await expect
        .poll(() => page.getByRole('columnheader', { name: 'Size' }).getAttribute('aria-sort'))
        .toBe('descending');
      const { data } = await askApi<{ data: Sender[] }>('/api/v1/senders?sort=bytes&perPage=100');
      await expect
        .poll(() => rows(page).first().getByRole('gridcell').nth(1).getAttribute('title'))
        .toBe(data[0]?.from);
    });

    test('the palette and a sequence of keys lead to the senders', async () => {
      await page.goto('/settings');
      await page.getByText('Connected').waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('e');
      await page.waitForURL(/\/senders/);
      await page.goto('/settings');
      await page.getByText('Connected').waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Command' }).fill('go senders');
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/senders/);
    });

    test('a scan that ends while it is watched says so in its place, and moves no list', async () => {
      await scanned();
      await page.getByRole('button', { name: 'Scan again' }).click();
      await page.getByRole('progressbar', { name: 'Scan of the mailbox' }).waitFor();
      const topOfList = async () => (await page.getByRole('grid', { name: 'Senders' }).boundingBox())?.y;
      const before = await topOfList();
      await page.getByRole('heading', { name: 'Your whole mailbox is scanned' }).waitFor(SCAN);
      expect(await topOfList()).toBe(before);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('progressbar', { name: 'Scan of the mailbox' }).waitFor({ state: 'hidden' });
    });
  },
);

describe.skipIf(!hasChromium)(
  `the scan of other mailboxes in a browser${skipReason}`,
  { timeout: 180_000 },
  () => {
    test('an empty mailbox ends with a word, not with an empty list', async () => {
      const visitor = await web.open();
      await web.openAs(visitor.page, '/senders', ownUser('katherine'));
      await visitor.page.getByRole('button', { name: 'Scan my mailbox' }).click();
      await visitor.page.getByRole('heading', { name: 'Nobody has written to you' }).waitFor(SCAN);
      await visitor.close();
    });

    test('a scan that waits says for what and can be stopped; one without access leads to its renewal', async () => {
      const visitor = await web.open();
      const { google } = web.stack;
      onTestFinished(() => clearFaults(google));
      const user = ownUser('grace');
      await web.openAs(visitor.page, '/senders', user);
      await orderFault(google, { user, kind: 'unavailable', path: '^/gmail/', times: 500 });
      await visitor.page.getByRole('button', { name: 'Scan my mailbox' }).click();
      await visitor.page.getByRole('heading', { name: 'Waiting for your mail provider' }).waitFor(SCAN);
      await visitor.page.getByRole('button', { name: 'Stop' }).click();
      await visitor.page.getByRole('heading', { name: 'You stopped the scan' }).waitFor();

      const again = visitor.page.getByRole('button', { name: /^Scan again in \d+ s$/ });
      await expect.poll(() => again.isDisabled()).toBe(true);

      await visitor.close();

      await clearFaults(google);
      const other = await web.open();
      const refused = ownUser('dorothy');
      await web.openAs(other.page, '/senders', refused);
      await orderFault(google, { user: refused, kind: 'unauthorized', path: '^/gmail/', times: 50 });
      await orderFault(google, { user: refused, kind: 'invalid_grant', path: '/token', times: 50 });
      await other.page.getByRole('button', { name: 'Scan my mailbox' }).click();
      await other.page.getByRole('heading', { name: 'The scan could not continue' }).waitFor(SCAN);
      await other.page.getByRole('button', { name: 'Renew with Google' }).waitFor();
      await other.close();
    });
  },
);

const rows = (on: Page): Locator => on.locator('[data-row-id]');
const toast = (on: Page, text: string | RegExp): Locator =>
  on.getByRole('alert').getByText(new RegExp(text)).first();
const addressOf = ({ from }: Sender): string => /<(.*)>/.exec(from)?.[1] ?? from;

/** What the API returns to the user on the page. */
const askApi = async <T>(path: string): Promise<T> => {
  const response = await page.context().request.get(`${web.stack.api}${path}`);
  return (await response.json()) as T;
};

const listCleanups = () => askApi<{ total: number; data: Cleanup[] }>('/api/v1/cleanups');

/** The newest cleanup, once it has completed. */
const completed = async (): Promise<Cleanup> => {
  await expect.poll(async () => (await listCleanups()).data[0]?.state, SCAN).toBe('completed');
  const [newest] = (await listCleanups()).data;
  if (!newest) throw new Error('there is no cleanup');
  return newest;
};

/** How many emails a plan leaves out. */
const leftOut = ({ excluded }: Cleanup): number =>
  Object.values(excluded).reduce((sum, count) => sum + count, 0);

/** Takes back by key what was cleaned up last, once the app offers it. */
const undoShown = async (count: number): Promise<void> => {
  await page.getByRole('alert').getByRole('button', { name: /^Undo/ }).first().waitFor(SCAN);
  await page.keyboard.press('z');
  await toast(page, `Undone: ${count.toLocaleString('en')} emails put back`).waitFor(SCAN);
};

/** Waits for the senders of a whole mailbox; scans it when no test has done so. */
const scanned = async (): Promise<void> => {
  const again = page.getByRole('button', { name: 'Scan again' });
  const offer = page.getByRole('button', { name: 'Scan my mailbox' });
  await again.or(offer).waitFor(SCAN);
  if (await offer.isVisible()) await offer.click();
  await again.waitFor(SCAN);
  await rows(page).first().waitFor();
};

/** A sender with a few emails, all of which the provider's single calls change. */
const findSmallSender = async (): Promise<{ sender: Sender; ids: string[] }> => {
  const { data } = await askApi<{ data: Sender[] }>('/api/v1/senders?perPage=100');
  const sender = data.find(({ mails }) => mails > 1 && mails <= 9);
  if (!sender) throw new Error('the sandbox has no sender with a few emails');
  const mails = await askApi<z.infer<typeof ListSenderEmailsResponseSchema>>(
    `/api/v1/senders/${sender.id}/emails`,
  );
  return { sender, ids: mails.data.map(({ id }) => id) };
};

const web = useWebStack();
let page: Page;
