/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { startLocalStack } from '../src/local-stack.ts';
import { launchBrowser, openVisit, signInAt } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';
import { showMadeUpMailbox } from './made-up-mailbox.ts';

const MAILS = 10_000;
/** Most rows that may be in the document at a time. */
const MAX_ROWS = 60;
/** A frame that took longer than this is felt. Unit: milliseconds. */
const SLOW_FRAME_MS = 50;
/** What one turn of the wheel moves, fast but as people do it. Unit: pixels. */
const WHEEL_STEP = 600;
/** Screens, and how much slower than this machine their processor is made. */
const CASES = [
  { name: 'wide', viewport: { width: 1360, height: 850 }, slowdown: 1 },
  { name: 'phone, 4 times slower', viewport: { width: 390, height: 844 }, slowdown: 4 },
];

interface Scrolling {
  frames: number[];
  longestTaskMs: number;
  mostRows: number;
  lastRow: number;
}

/** Notes every frame, every long task and how many rows there are, from now on. */
const watch = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: Scrolling = { frames: [], longestTaskMs: 0, mostRows: 0, lastRow: 0 };
    Object.assign(globalThis, { scrolling: seen });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        seen.longestTaskMs = Math.max(seen.longestTaskMs, duration);
    }).observe({ type: 'longtask' });
    let before = performance.now();
    const onFrame = (now: number) => {
      seen.frames.push(now - before);
      before = now;
      const rows = document.querySelectorAll('[role=row]');
      seen.mostRows = Math.max(seen.mostRows, rows.length);
      seen.lastRow = Math.max(seen.lastRow, Number(rows[rows.length - 1]?.getAttribute('aria-rowindex')));
      requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
  });

const read = (page: Page): Promise<Scrolling> =>
  page.evaluate(() => (globalThis as unknown as { scrolling: Scrolling }).scrolling);

const scrollToTheEnd = async (page: Page): Promise<Scrolling> => {
  await page.locator('[role=row]').first().hover();
  await watch(page);
  let seen = await read(page);
  while (seen.lastRow < MAILS) {
    for (let turn = 0; turn < 10; turn += 1) {
      await page.mouse.wheel(0, WHEEL_STEP);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    }
    seen = await read(page);
  }
  return seen;
};

ensureWebAppIsBuilt();
const stack = await startLocalStack();
const browser = await launchBrowser();
try {
  for (const { name, viewport, slowdown } of CASES) {
    const { page, close } = await openVisit(browser, stack.web, { viewport });
    await signInAt(page, '/settings', 'ada@example.com');
    await showMadeUpMailbox(page, MAILS);
    await page.goto('/inbox');
    await page.locator('[role=row]').first().waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const { frames, longestTaskMs, mostRows } = await scrollToTheEnd(page);
    const slow = frames.filter((ms) => ms > SLOW_FRAME_MS).length;
    process.stdout.write(
      `${name}: ${MAILS} emails, at most ${mostRows} rows in the document, ` +
        `${slow} of ${frames.length} frames (${((100 * slow) / frames.length).toFixed(2)} %) over ${SLOW_FRAME_MS} ms, ` +
        `longest task ${longestTaskMs === 0 ? `under ${SLOW_FRAME_MS}` : Math.round(longestTaskMs)} ms\n`,
    );
    if (mostRows > MAX_ROWS) throw new Error(`more than ${MAX_ROWS} rows were in the document`);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await close();
  }
} finally {
  await browser.close();
  await stack.stop();
}
