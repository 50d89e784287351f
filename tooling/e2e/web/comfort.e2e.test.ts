/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
const SCREENS = [
  { place: '/', sign: 'main section' },
  { place: '/inbox', sign: '[role=row]' },
  { place: '/suggestions', sign: 'button[aria-current=true]' },
  { place: '/senders', sign: '[data-row-id]' },
  { place: '/history', sign: 'h2' },
  { place: '/settings', sign: 'ol[aria-label="Account activity"]' },
];

describe.skipIf(!hasChromium)(`fingers, magnification and the system's colors${skipReason}`, () => {
  test('on a touch screen everything to tap measures at least 44 pixels', async () => {
    const { page, close } = await web.open({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    await web.openAs(page, '/inbox', USER);
    const small: string[] = [];
    for (const { place, sign } of SCREENS) {
      await page.goto(place);
      await page.locator(sign).first().waitFor();
      small.push(...(await smallTargets(page)).map((target) => `${place}: ${target}`));
    }
    await page.goto('/suggestions');
    await page.locator('button[aria-current=true]').first().tap();
    await page.getByRole('region', { name: /^Suggestions: / }).waitFor();
    small.push(...(await smallTargets(page)).map((target) => `group: ${target}`));
    await close();
    expect(small).toEqual([]);
  });

  test('at four-fold magnification nothing is cut off or covered', async () => {
    const { page, close } = await web.open({ viewport: { width: 320, height: 256 } });
    await web.openAs(page, '/suggestions', USER);
    const accept = page.getByRole('button', { name: /^(Archive|Trash|Label) .*\d…$/ });
    await accept.waitFor();
    expect(await accept.evaluate(isCutOff)).toBe(false);
    // The controls take the whole screen; the list comes to the keyboard.
    const secondGroup = page.locator('[data-row-id]').nth(1);
    expect(await secondGroup.evaluate(isInSight)).toBe(false);
    await page.keyboard.press('j');
    await expect.poll(() => secondGroup.evaluate(isInSight)).toBe(true);

    await page.goto('/senders');
    await page.locator('[data-row-id]').first().waitFor();
    const covered = await page.locator('[data-row-id]').evaluateAll(
      (rows) =>
        rows.filter((row) => {
          // Behind the picture, the name and the number of emails, parts of which are cut off where there is no room.
          const cells = [...row.querySelectorAll('[role=gridcell]')].slice(3);
          const boxes = cells
            .filter((cell) => cell.textContent?.trim() && getComputedStyle(cell).display !== 'none')
            .map((cell) => {
              const range = document.createRange();
              range.selectNodeContents(cell);
              return range.getBoundingClientRect();
            })
            .filter(({ width }) => width > 1);
          return boxes.some((one, index) =>
            boxes
              .slice(index + 1)
              .some(
                (other) =>
                  one.left < other.right - 1 &&
                  other.left < one.right - 1 &&
                  one.top < other.bottom - 4 &&
                  other.top < one.bottom - 4,
              ),
          );
        }).length,
    );
    expect(covered).toBe(0);
    await close();
  });

  test('with the colors of the system, what is current, chosen, selected and unread can be seen', async () => {
    const { page, close } = await web.open({ forcedColors: 'active' });
    await web.openAs(page, '/inbox', USER);
    await page.locator('[role=row][data-unread]').first().waitFor();
    const outlineOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).outlineStyle);
    const isSeen = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate(
          (element) =>
            getComputedStyle(element).backgroundColor !== getComputedStyle(document.body).backgroundColor,
        );
    expect(await outlineOf('nav [aria-current=page]')).toBe('solid');
    expect(await isSeen('[role=img][aria-label=Unread]')).toBe(true);
    for (const key of ['j', 'x', 'j']) await page.keyboard.press(key);
    expect(await outlineOf('[role=row][aria-selected=true]')).toBe('solid');
    await page.goto('/suggestions');
    await page.locator('button[aria-current=true]').waitFor();
    expect(await outlineOf('button[aria-current=true]')).toBe('solid');
    expect(await outlineOf('label:has(:checked[type=radio])')).toBe('solid');
    await close();
  });
});

const isCutOff = (element: Element): boolean =>
  [element, ...element.querySelectorAll('*')].some(
    (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0,
  );

/** Whether the middle of an element is within the window, and nothing lies over it. */
const isInSight = (element: Element): boolean => {
  const { left, top, width, height } = element.getBoundingClientRect();
  const onTop = document.elementFromPoint(left + width / 2, top + height / 2);
  return onTop !== null && element.contains(onTop);
};

/** What can be tapped in the window and is smaller than a finger; links within a sentence may be. */
const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('button, select, nav a, label:has(> input), input[type=search]')]
      .filter((element) => {
        const { width, height, top, bottom } = element.getBoundingClientRect();
        const isInSight = width > 1 && height > 1 && bottom > 0 && top < window.innerHeight;
        // The bar of a scan lets taps through.
        const isTapped = getComputedStyle(element).pointerEvents !== 'none';
        return isInSight && isTapped && (width < 43.5 || height < 43.5);
      })
      .map((element) => {
        const { width, height } = element.getBoundingClientRect();
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 30);
        return `${element.tagName} ${name} ${Math.round(width)}×${Math.round(height)}`;
      }),
  );

const web = useWebStack();
