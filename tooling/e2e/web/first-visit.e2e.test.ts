import { gunzipSync } from 'node:zlib';
import got from 'got';
import type { BrowserContext, BrowserContextOptions } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, signInAt, skipReason, type Visit } from './browser.ts';
import { openStepByStep, totalScore } from './layout-shifts.ts';
import { useWebStack } from './web-stack.ts';

/** Most JavaScript that the first screen may need, compressed. Unit: bytes. */
const SCRIPT_BUDGET_BYTES = 220_000;

/** Of all jumps of a screen together; the Core Web Vitals call ten times as much good. */
const MAX_SHIFT = 0.01;

const VIEWPORTS = [
  { name: 'wide', viewport: { width: 1280, height: 800 } },
  { name: 'phone', viewport: { width: 390, height: 844 } },
];

/** Every screen, and what is on it once all of it is known. The first ones leave something for the others to show. */
const SCREENS = [
  { place: '/', sign: 'text=/^(Found so far|In your whole mailbox)/' },
  { place: '/inbox', sign: '[role=row]' },
  { place: '/suggestions', sign: 'text=/^(Scanning your mailbox|From your whole mailbox)/' },
  { place: '/senders', sign: '[data-row-id]' },
  { place: '/history', sign: 'text=Nothing has been done yet' },
  { place: '/activity', sign: '#map-title' },
  { place: '/settings', sign: 'text=Account activity' },
];

const SCANNED = [
  { place: '/', sign: 'text=In your whole mailbox' },
  { place: '/senders', sign: 'text=Scan again' },
  { place: '/suggestions', sign: 'text=From your whole mailbox' },
];

describe.skipIf(!hasChromium)(`a first visit${skipReason}`, () => {
  test('the inbox needs no more than 220 kB of JavaScript, gzipped', async () => {
    const { page, complaints, close } = await web.open();
    // What no screen has needed yet is loaded in idle time, and is no part of the budget.
    await page.addInitScript('window.requestIdleCallback = () => 0');
    const scripts = new Set<string>();
    page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) scripts.add(response.url());
    });
    await signInAt(page, '/inbox', ownUser('ada'));
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

  describe.each(VIEWPORTS)('nothing on the page jumps while it loads: $name', ({ viewport }) => {
    test.each(SCREENS)('$place', async (screen) => {
      const visit = await openSignedIn(ownUser('ada'), { viewport });
      const shifts = await openStepByStep(visit.page.context(), screen);
      await visit.close();
      expect(totalScore(shifts), JSON.stringify(shifts)).toBeLessThan(MAX_SHIFT);
    });

    test('/senders before anything is known of the mailbox', async () => {
      const visit = await openSignedIn(ownUser('katherine'), { viewport });
      const offer = { place: '/senders', sign: 'text=See who fills your mailbox' };
      const shifts = await openStepByStep(visit.page.context(), offer);
      await visit.close();
      expect(totalScore(shifts), JSON.stringify(shifts)).toBeLessThan(MAX_SHIFT);
    });

    test('/history after something was done', async () => {
      const visit = await openSignedIn(ownUser('grace'), { viewport });
      await visit.page.goto('/inbox');
      await visit.page.locator('[role=row]').first().waitFor();
      await visit.page.keyboard.press('j');
      await visit.page.keyboard.press('e');
      await visit.page
        .getByRole('alert')
        .getByText(/archived/)
        .waitFor();
      const done = { place: '/history', sign: '[data-entry-title] bdi:text-matches("[A-Za-z]")' };
      const shifts = await openStepByStep(visit.page.context(), done);
      await visit.close();
      expect(totalScore(shifts), JSON.stringify(shifts)).toBeLessThan(MAX_SHIFT);
    });

    test.each(SCANNED)('$place after a scan', async (screen) => {
      const visit = await openSignedIn(ownUser('ada'), { viewport });
      const shifts = await openStepByStep(visit.page.context(), { ...screen, change: claimScanned });
      await visit.close();
      expect(totalScore(shifts), JSON.stringify(shifts)).toBeLessThan(MAX_SHIFT);
    });
  });
});

const claimScanned = (path: string, body: Record<string, unknown>) => {
  if (path.endsWith('/senders') || path.endsWith('/groups'))
    Object.assign(body, { complete: true, scannedAt: new Date() });
};

type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;
const sessions = new Map<string, SignedIn>();

/** A visit by someone who signed in before; once for all tests, as nobody may sign in too often. */
const openSignedIn = async (email: string, options: BrowserContextOptions): Promise<Visit> => {
  const storageState = sessions.get(email);
  const visit = await web.open({ ...options, ...(storageState && { storageState }) });
  if (!storageState) {
    await signInAt(visit.page, '/settings', email);
    sessions.set(email, await visit.page.context().storageState());
  }
  return visit;
};

const gzippedSize = async (url: string): Promise<number> => {
  const body = await got(url, { headers: { 'accept-encoding': 'gzip' }, decompress: false }).buffer();
  const script = gunzipSync(body).toString();
  expect(script).not.toBe('');
  expect(script, `${url} contains the validation library`).not.toContain('ZodError');
  return body.length;
};

const web = useWebStack();
