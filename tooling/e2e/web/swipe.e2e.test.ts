import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

describe.skipIf(!hasChromium)(`swiping an email with a finger${skipReason}`, () => {
  test('to the right archives it, to the left deletes it, a little does nothing', async () => {
    const { page, close } = await web.open(PHONE);
    await web.openAs(page, '/inbox', ownUser('ada'));
    await rows(page).first().waitFor();

    const first = await idOf(rows(page).first());
    await swipe(page, rows(page).first(), 60);
    await swipe(page, rows(page).first(), 180, async () => {
      expect(await rows(page).first().getAttribute('data-swipe-name')).toBe('Archive');
    });
    await page.getByRole('alert').getByText('1 email archived').waitFor();
    expect(await page.locator(`[data-row-id="${first}"]`).count()).toBe(0);

    const second = await idOf(rows(page).first());
    await swipe(page, rows(page).first(), -180);
    await page.getByRole('alert').getByText('1 email moved to Trash').waitFor();
    expect(await page.locator(`[data-row-id="${second}"]`).count()).toBe(0);
    // Neither of them opened an email.
    expect(new URL(page.url()).search).toBe('');
    await close();
  });
});

const rows = (page: Page): Locator => page.locator('[role=row]');
const idOf = (row: Locator) => row.getAttribute('data-row-id');

/** Moves a real touch sideways over a row. @param look - at the screen before the finger is lifted */
const swipe = async (page: Page, row: Locator, byPixels: number, look?: () => Promise<void>) => {
  const box = await row.boundingBox();
  if (!box) throw new Error('The row is not on the screen.');
  const devtools = await page.context().newCDPSession(page);
  const y = box.y + box.height / 2;
  const x = box.x + box.width / 2;
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: at, y }],
    });
  await touch('touchStart', x);
  for (let step = 1; step <= 6; step += 1) await touch('touchMove', x + (byPixels * step) / 6);
  await look?.();
  await touch('touchEnd', x + byPixels);
  await devtools.detach();
};

const web = useWebStack();
