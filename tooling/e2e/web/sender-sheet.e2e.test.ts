/// <reference lib="dom" />
import type { Sender, SenderDetails } from '@mailsweep/contracts';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const USER = ownUser('grace');
const SCAN = { timeout: 90_000 };
const FOCUS = { timeout: 10_000 };
const DEVICES = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;

/** True, or what has the focus instead. */
const hasFocus = (element: Element): true | string | undefined =>
  element === document.activeElement || document.activeElement?.outerHTML.slice(0, 300);

type Press = (what: Locator) => Promise<void>;

/** Where the name of a sender is pressed, and how to get there. */
const PLACES: Record<string, (page: Page, press: Press) => Promise<Locator>> = {
  'a suggestion': async (page, press) => {
    await page.goto('/suggestions');
    await press(page.getByRole('list', { name: 'Groups of suggestions' }).getByRole('button').first());
    return page.getByRole('button', { name: 'More for this sender…' });
  },
  'the email of a suggestion': async (page, press) => {
    await PLACES['a suggestion']?.(page, press);
    await press(
      page.getByRole('list', { name: 'Emails of this group' }).locator('button[aria-expanded]').first(),
    );
    return page.getByRole('complementary', { name: 'Email' }).locator('button[aria-haspopup="dialog"]');
  },
  'an email in the inbox': async (page, press) => {
    await page.goto('/inbox');
    await press(page.locator('[data-row-id]').first().getByRole('gridcell').nth(2));
    return page
      .getByRole('complementary', { name: 'Email details' })
      .locator('button[aria-haspopup="dialog"]');
  },
  history: async (page, press) => {
    await page.goto('/history');
    await press(page.locator('[data-entry-title]').first());
    return page.getByRole('button', { name: /^More(…| for this sender…)$/ }).first();
  },
  'an email that was searched for': async (page, press) => {
    await page.goto('/inbox?q=invoice');
    await press(page.locator('[data-row-id]').first().getByRole('gridcell').nth(2));
    return page
      .getByRole('complementary', { name: 'Email details' })
      .locator('button[aria-haspopup="dialog"]');
  },
};

describe.skipIf(!hasChromium)(`the sheet of a sender${skipReason}`, { timeout: 180_000 }, () => {
  describe.each(Object.keys(DEVICES) as (keyof typeof DEVICES)[])('on a %s', (device) => {
    test.each(Object.keys(PLACES))(
      'opens from %s with exact numbers, and gives the focus back',
      async (place) => {
        const visit = await web.open(DEVICES[device]);
        const { page } = visit;
        const press: Press = (what) => (device === 'phone' ? what.tap() : what.click());
        await web.openAs(page, '/senders', USER);
        await scanned(page);
        if (place === 'history') await archiveOne(page);
        const opener = (await PLACES[place]?.(page, press)) as Locator;
        await opener.waitFor();
        const [response] = await Promise.all([
          page.waitForResponse(/\/sender$|\/senders\/[0-9a-f]{64}$/),
          press(opener),
        ]);
        const { takes } = (await response.json()) as SenderDetails;
        const sheet = page.getByRole('dialog');
        for (const [name, count] of [
          ['Archive', takes.archive],
          ['Trash', takes.delete],
          ['Mark read', takes.mark_read],
          ['Label', takes.label],
        ] as const) {
          await sheet.getByRole('button', { name: new RegExp(`^${name} ${count} emails?$`) }).waitFor();
        }
        await sheet.getByRole('button', { name: 'Keep: protect this sender' }).waitFor();
        expect(await findAccessibilityFaults(page)).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0);

        await page.keyboard.press('Escape');
        await sheet.waitFor({ state: 'hidden' });
        await expect.poll(() => opener.evaluate(hasFocus), FOCUS).toBe(true);
        await visit.close();
        expect(visit.complaints).toEqual([]);
      },
    );
  });

  test('archives all of a sender with future email in one step, and the rule is there', async () => {
    const visit = await web.open(DEVICES.phone);
    const { page } = visit;
    await web.openAs(page, '/senders', USER);
    await scanned(page);
    const listed = await page.context().request.get(`${web.stack.api}/api/v1/senders?perPage=100`);
    const { data: senders } = (await listed.json()) as { data: Sender[] };
    const sender = senders.find(({ inInbox, protected: isProtected }) => inInbox > 1 && !isProtected);
    const address = /<(.*)>/.exec(sender?.from ?? '')?.[1] ?? sender?.from;
    await page.goto(`/inbox?q=${encodeURIComponent(`from:${address} in:inbox`)}`);
    await page.locator('[data-row-id]').first().getByRole('gridcell').nth(2).tap();
    // The email leaves the list, and its pane with it; the sheet stays.
    await page
      .getByRole('complementary', { name: 'Email details' })
      .locator('button[aria-haspopup="dialog"]')
      .tap();
    const archive = page.getByRole('dialog').getByRole('button', { name: /^Archive [1-9]\d* emails?$/ });
    await archive.tap();
    const question = page.getByRole('dialog', { name: /^Archive \d+ emails?\?$/ });
    const also = question.getByRole('checkbox', { name: /^Also future email from/ });
    await also.waitFor();
    expect(await also.isChecked()).toBe(false);
    expect(await findAccessibilityFaults(page)).toEqual([]);
    // The question goes, the sheet stays.
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await expect.poll(() => archive.evaluate(hasFocus), FOCUS).toBe(true);
    await archive.tap();
    await also.tap();
    await question.getByRole('button', { name: /^Archive \d+$/ }).tap();
    await page
      .getByRole('alert')
      .getByText(/emails? archived/)
      .first()
      .waitFor(SCAN);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Archive 0 emails$/ })
      .waitFor();
    const rules = await page.context().request.get(`${web.stack.api}/api/v1/rules`);
    expect(((await rules.json()) as { data: object[] }).data).toMatchObject([
      { action: 'archive', olderThan: 0, enabled: true },
    ]);
    await visit.close();
  });

  test('a typed domain protects, marks its senders, and what is nonsense is refused at the field', async () => {
    const visit = await web.open(DEVICES.phone);
    const { page } = visit;
    await web.openAs(page, '/senders', ownUser('dorothy'));
    await scanned(page);
    const listed = await page.context().request.get(`${web.stack.api}/api/v1/senders`);
    const [sender] = ((await listed.json()) as { data: { id: string; from: string }[] }).data;
    const domain = /@([^>]+)/.exec(sender?.from ?? '')?.[1] ?? '';
    await page.goto('/settings');
    const field = page.getByRole('textbox', { name: 'Protect an address or a domain' });
    await field.fill('not a name');
    await field.press('Enter');
    await page.getByText(/^That is no address/).waitFor();
    await field.fill(domain.toUpperCase());
    await field.press('Enter');
    await page.getByRole('button', { name: `Remove ${domain}` }).waitFor();
    await page.goto('/senders');
    const row = page.locator(`[data-row-id="${sender?.id}"]`);
    await row.getByRole('img', { name: 'Protected' }).waitFor();
    await row.getByRole('gridcell').nth(1).tap();
    await page.getByText(/^This sender is protected/).waitFor();
    expect(await page.getByRole('button', { name: 'Trash 0 emails' }).isDisabled()).toBe(true);
    await page.getByText(`Protected with ${domain}`).waitFor();
    await visit.close();
  });
});

/** Does something, so that the history has an entry. */
const archiveOne = async (page: Page): Promise<void> => {
  const { api } = web.stack;
  const listed = await page.context().request.get(`${api}/api/v1/emails`);
  const [email] = ((await listed.json()) as { emails: { id: string }[] }).emails;
  await page.evaluate(
    async ([url, id]) => {
      await fetch(`${url}/api/v1/inbox/actions`, {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ emailIds: [id], action: 'archive' }),
      });
    },
    [api, email?.id] as const,
  );
};

/** Scans the mailbox unless a test has done so, and draws the page again: what it does at the end of a scan is over. */
const scanned = async (page: Page): Promise<void> => {
  const { api, web: origin } = web.stack;
  const isScanned = async () => {
    const response = await page.request.get(`${api}/api/v1/suggestions/groups`);
    return ((await response.json()) as { complete: boolean }).complete;
  };
  if (!(await isScanned())) await page.request.post(`${api}/api/v1/scans`, { headers: { origin }, data: {} });
  await expect.poll(isScanned, SCAN).toBe(true);
  await page.reload();
  await page.locator('[data-row-id]').first().waitFor();
};

const web = useWebStack();
