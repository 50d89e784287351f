/// <reference lib="dom" />
import type { BrowserContext, Page } from 'playwright-core';

/** One jump of what already stood on the page. */
export interface LayoutShift {
  /** As the Layout Instability API counts it: how much of the window moved, times how far. */
  score: number;
  /** What moved. */
  elements: string[];
}

declare global {
  /** The jumps of the page so far. */
  var layoutShifts: LayoutShift[];
}

const noteShifts = () => {
  globalThis.layoutShifts = [];
  const describe = (node: Node | null) =>
    node instanceof Element ? `${node.tagName.toLowerCase()}.${node.className}` : String(node?.textContent);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, sources } = entry as PerformanceEntry & {
        value: number;
        sources: { node: Node | null }[];
      };
      globalThis.layoutShifts.push({ score: value, elements: sources.map(({ node }) => describe(node)) });
    }
  }).observe({ type: 'layout-shift', buffered: true });
};

/** Waits until the page has painted what it knows so far. */
const paint = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );

/**
 * Opens a screen in a tab of its own and lets the responses of the API through one by one, each when the page has painted what it knows:
 * every state on the way to the whole screen is there for a moment, which on a fast machine none would be.
 *
 * @param input.sign - what is on the screen once all of it is known
 * @param input.change - of a response, before the page has it
 * @returns every jump on the way
 */
export const openStepByStep = async (
  visit: BrowserContext,
  input: { place: string; sign: string; change?: (path: string, body: Record<string, unknown>) => void },
): Promise<LayoutShift[]> => {
  const page = await visit.newPage();
  await page.addInitScript(noteShifts);
  let before: Promise<unknown> = Promise.resolve();
  await page.route('**/api/v1/**', (route) => {
    const { pathname } = new URL(route.request().url());
    // Who is signed in comes first: without it there is no screen.
    if (pathname.endsWith('/me')) return route.continue();
    const turn = before.then(async () => {
      const response = await route.fetch();
      // One that has not changed has no body.
      const json = response.status() === 304 ? undefined : await response.json();
      if (json !== undefined) input.change?.(pathname, json);
      await page.locator('main h1').waitFor();
      await paint(page);
      await route.fulfill({ response, ...(json !== undefined && { json }) });
    });
    before = turn;
    return turn;
  });
  await page.goto(input.place);
  await page.locator(input.sign).first().waitFor();
  await page.waitForLoadState('networkidle');
  await paint(page);
  const shifts = await page.evaluate(() => globalThis.layoutShifts);
  // Those that are asked for again and again, such as the state of a scan, are still on their way.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.close();
  return shifts;
};

export const totalScore = (shifts: readonly LayoutShift[]): number =>
  shifts.reduce((sum, { score }) => sum + score, 0);
