import type { ListSenderEmailsResponseSchema, Sender } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { clearFaults, orderFault } from './sandbox.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const PERSON = 'ada@example.com';
/** A scan reads some 1,500 emails from the sandbox. */
const SCAN = { timeout: 90_000 };

describe.skipIf(!hasChromium)(
  `senders and the scan of the whole mailbox in a browser${skipReason}`,
  { timeout: 180_000 },
  () => {
    test('the scan is offered where there is nothing yet, tells how far it is, and ends with the senders', async () => {
      await page.getByRole('heading', { name: 'See who fills your mailbox' }).waitFor();
      const stream = page.waitForResponse(/\/api\/v1\/scans\/[^/]+\/events$/);
      await page.getByRole('button', { name: 'Scan my whole mailbox' }).click();
      expect((await stream).status()).toBe(200);
      await page.getByRole('progressbar', { name: 'Scan of the mailbox' }).waitFor();
      await page.getByText(/^[\d,]+ of about [\d,]+ emails/).waitFor(SCAN);

      // Whoever leaves meanwhile loses nothing.
      await page.goto('/suggestions');
      await page.getByText(/Your whole mailbox (is being|was) scanned/).waitFor(SCAN);
      await page.goto('/senders');
      await page.getByRole('button', { name: 'Scan again' }).waitFor(SCAN);
      const { total } = await askApi<{ total: number }>('/api/v1/senders');
      expect(await page.getByRole('grid', { name: 'Senders' }).getAttribute('aria-rowcount')).toBe(
        String(total + 1),
      );
    });

    test('all email of a sender is archived by keyboard, as announced, and comes back with one key', async () => {
      await scanned();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const mails = page.getByRole('region', { name: 'Emails of this sender' });
      await mails.getByRole('listitem').first().waitFor();
      const before = Number(await fact('In inbox').textContent());
      expect(before).toBeGreaterThan(10);
      await page.getByRole('button', { name: `Archive ${before}` }).waitFor();

      await page.keyboard.press('e');
      await toast(page, `${before} emails archived`).waitFor();
      await expect.poll(() => fact('In inbox').textContent()).toBe('0');
      await page.reload();
      await mails.getByRole('listitem').first().waitFor();
      expect(await fact('In inbox').textContent()).toBe('0');

      // The reload has emptied what the key undoes, but not the history.
      await page.goto('/history');
      await page.getByRole('main').getByRole('listitem').first().getByRole('checkbox').click();
      await page.keyboard.press('Shift+Z');
      await toast(page, `Undone for ${before} emails`).waitFor();
      await page.goto('/senders');
      await rows(page).first().waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await expect.poll(() => fact('In inbox').textContent()).toBe(String(before));

      await page.keyboard.press('e');
      await toast(page, `${before} emails archived`).waitFor();
      await page.keyboard.press('z');
      await toast(page, `Undone: ${before} emails put back`).waitFor();
      await expect.poll(() => fact('In inbox').textContent()).toBe(String(before));
    });

    test('deleting all of a sender asks first in exact numbers; what fails stays, and the rest comes back', async () => {
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
      await orderFault(google, { kind: 'forbidden', path: `/messages/${ids[0]}`, method: 'POST', times: 20 });
      await dialog.getByRole('button', { name: `Move ${ids.length} to Trash` }).click();
      await toast(page, `${ids.length - 1} moved to Trash · 1 could not be processed`).waitFor();
      await expect.poll(() => rows(page).first().textContent()).toContain('1email');

      await clearFaults(google);
      await page.keyboard.press('z');
      await toast(page, `Undone: ${ids.length - 1} emails? put back`).waitFor();
      await expect.poll(() => rows(page).first().textContent()).toContain(`${ids.length}emails`);
    });

    test('what is suggested for a sender is accepted beside its emails, one of them left out', async () => {
      await scanned();
      await page.goto('/senders?sort=suggested');
      await rows(page).first().click();
      const accept = page.getByRole('button', { name: /^Accept \d+/ });
      await accept.waitFor();
      const count = Number(/\d+/.exec((await accept.textContent()) ?? '')?.[0]);
      await page
        .getByRole('checkbox', { name: /^Include/ })
        .first()
        .click();
      await page.getByRole('button', { name: `Accept ${count - 1}` }).waitFor();
      await page.keyboard.press('y');
      const dialog = page.getByRole('dialog');
      await dialog
        .getByRole('heading', { name: `Accept the suggestions for ${count - 1} emails?` })
        .waitFor();
      await dialog.getByText(/\d+ emails move to Trash/).waitFor();
      await page.keyboard.press('Enter');
      await toast(page, `${count - 1} emails processed`).waitFor();
      await page.keyboard.press('z');
      await toast(page, `Undone: ${count - 1} emails put back`).waitFor();
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
      await bar.getByRole('button', { name: `Accept ${suggested}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog
        .getByRole('heading', { name: `Accept the suggestions for ${suggested} emails?` })
        .waitFor();
      await dialog.getByRole('button', { name: `Accept ${suggested}` }).click();
      await toast(page, `${suggested} emails processed`).waitFor();
      await page.keyboard.press('z');
      await toast(page, `Undone: ${suggested} emails put back`).waitFor();
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

    test('an empty mailbox ends with a word, not with an empty list', async () => {
      const visitor = await web.open();
      await signInAt(visitor.page, '/senders', 'katherine@example.com');
      await visitor.page.getByRole('button', { name: 'Scan my whole mailbox' }).click();
      await visitor.page.getByRole('heading', { name: 'Nobody has written to you' }).waitFor(SCAN);
      await visitor.close();
    });

    test('a scan that waits says for what and can be stopped; one without access leads to its renewal', async () => {
      const visitor = await web.open();
      const { google } = web.stack;
      await signInAt(visitor.page, '/senders', 'grace@example.com');
      await orderFault(google, { kind: 'unavailable', path: '^/gmail/', times: 500 });
      await visitor.page.getByRole('button', { name: 'Scan my whole mailbox' }).click();
      await visitor.page.getByRole('heading', { name: 'Waiting for Gmail' }).waitFor(SCAN);
      await visitor.page.getByRole('button', { name: 'Stop' }).click();
      await visitor.page.getByRole('heading', { name: 'You stopped the scan' }).waitFor();

      await clearFaults(google);
      await orderFault(google, { kind: 'unauthorized', path: '^/gmail/', times: 50 });
      await orderFault(google, { kind: 'invalid_grant', path: '/token', times: 50 });
      await visitor.page.getByRole('button', { name: 'Scan again' }).click();
      await visitor.page.getByRole('heading', { name: 'The scan could not go on' }).waitFor(SCAN);
      await visitor.page.getByRole('button', { name: 'Renew with Google' }).waitFor();
      await visitor.close();
    });
  },
);

const rows = (on: Page): Locator => on.locator('[data-row-id]');
const toast = (on: Page, text: string): Locator => on.getByRole('alert').getByText(new RegExp(text)).first();
/** One of the numbers above the emails of the open sender. */
const fact = (name: string): Locator =>
  page.locator('dl > div', { has: page.getByText(name, { exact: true }) }).locator('dd');
const addressOf = ({ from }: Sender): string => /<(.*)>/.exec(from)?.[1] ?? from;

/** What the API returns to the user on the page. */
const askApi = async <T>(path: string): Promise<T> => {
  const response = await page.context().request.get(`${web.stack.api}${path}`);
  return (await response.json()) as T;
};

/** Waits for the senders of a whole mailbox; scans it when no test has done so. */
const scanned = async (): Promise<void> => {
  const again = page.getByRole('button', { name: 'Scan again' });
  const offer = page.getByRole('button', { name: 'Scan my whole mailbox' });
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
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await signInAt(page, '/senders', PERSON);
});
