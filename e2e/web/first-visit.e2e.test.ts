import { gunzipSync } from 'node:zlib';
import got from 'got';
import { describe, expect, test } from 'vitest';
import { hasChromium, signInAt, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

/** Most JavaScript that the first screen may need, compressed. Unit: bytes. */
const SCRIPT_BUDGET_BYTES = 200_000;

describe.skipIf(!hasChromium)(`a first visit${skipReason}`, () => {
  test('the inbox needs no more than 200 kB of JavaScript, gzipped', async () => {
    const { page, complaints, close } = await web.open();
    const scripts = new Set<string>();
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) scripts.add(response.url());
    });
    await signInAt(page, '/inbox', 'ada@example.com');
    await page.locator('[role=row]').first().waitFor();
    await page.waitForLoadState('networkidle');
    const sizes = await Promise.all(
      [...scripts].filter((url) => url.startsWith(web.stack.web)).map(gzippedSize),
    );
    await close();
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(0);
    expect(total, [...scripts].join(' ')).toBeLessThanOrEqual(SCRIPT_BUDGET_BYTES);
    expect(complaints).toEqual([]);
  });

  test('nothing on the page jumps while the inbox loads', async () => {
    const { page, close } = await web.open();
    await signInAt(page, '/inbox', 'ada@example.com');
    await page.addInitScript(`globalThis.shifts = [];
      new PerformanceObserver((list) => globalThis.shifts.push(...list.getEntries().map((entry) => entry.value)))
        .observe({ type: 'layout-shift', buffered: true });`);
    await page.reload();
    await page.locator('[role=row]').first().waitFor();
    await page.waitForLoadState('networkidle');
    const shift = await page.evaluate<number>('globalThis.shifts.reduce((sum, value) => sum + value, 0)');
    await close();
    expect(shift).toBeLessThan(0.01);
  });
});

const gzippedSize = async (url: string): Promise<number> => {
  const body = await got(url, { headers: { 'accept-encoding': 'gzip' }, decompress: false }).buffer();
  expect(gunzipSync(body).length).toBeGreaterThan(0);
  return body.length;
};

const web = useWebStack();
