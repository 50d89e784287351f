/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

const AXE_SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds wrong on the page as it stands, one line for each element. In the dark only the colours differ, so
 * that nothing else is looked at again.
 */
export const findAccessibilityFaults = async (page: Page): Promise<string[]> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE_SOURCE);
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  const { violations } = await page.evaluate(
    (rules) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        runOnly: rules,
        resultTypes: ['violations'],
      }),
    isDark ? COLOUR_RULES : RULES,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(' ')}`));
};

/** The same with the colours that the page has, and with the others, which it takes while it is open. */
export const findFaultsInAllColors = async (page: Page): Promise<string[]> => {
  const begun = await readColorScheme(page);
  const other = begun === 'dark' ? 'light' : 'dark';
  const faults = await findAccessibilityFaults(page);
  await takeColors(page, other);
  faults.push(...(await findAccessibilityFaults(page)).map((fault) => `${other}: ${fault}`));
  await takeColors(page, begun);
  return faults;
};

const readColorScheme = (page: Page) =>
  page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));

const takeColors = async (page: Page, colorScheme: 'light' | 'dark'): Promise<void> => {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(async (scheme) => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    // The page of the sign-in leaves it to its style sheet.
    const isTaken = () => (document.documentElement.dataset.mantineColorScheme ?? scheme) === scheme;
    do await nextFrame();
    while (!isTaken());
    // Colors change in steps even without motion: those of a part begin to when those of what it lies in have.
    do await nextFrame();
    while (document.getAnimations().length > 0);
  }, colorScheme);
};
