/// <reference lib="dom" />
import type { CDPSession, Page, Request } from 'playwright-core';

/** Beside each other in a row. */
export const PLACES_IN_ROW = 20;
/** Between the presses of a double click. Unit: seconds. */
const BETWEEN_PRESSES_S = 0.25;
/** From one double click to the next one. Unit: seconds. */
const BETWEEN_DOUBLE_S = 2;

interface Place {
  x: number;
  y: number;
}

/** Presses a place at a time that the page is told, however slow the machine is. Unit: seconds. */
type Press = (devtools: CDPSession, at: Place, timestamp: number) => Promise<void>;

export const click: Press = async (devtools, at, timestamp) => {
  const event = { ...at, button: 'left', clickCount: 1, timestamp } as const;
  await devtools.send('Input.dispatchMouseEvent', { ...event, type: 'mousePressed' });
  await devtools.send('Input.dispatchMouseEvent', { ...event, type: 'mouseReleased' });
};

export const tap: Press = async (devtools, at, timestamp) => {
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at], timestamp });
  await devtools.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], timestamp });
};

declare global {
  /** What has happened on the page since the presses began. */
  var happened: { releases: number; mutations: number };
}

const follow = () => {
  globalThis.happened = { releases: 0, mutations: 0 };
  // Each click comes with it, of a mouse or of a finger.
  window.onmouseup = () => {
    globalThis.happened.releases += 1;
  };
  new MutationObserver(() => {
    globalThis.happened.mutations += 1;
  }).observe(document, { subtree: true, childList: true, attributes: true });
  // Another tab would cover this one.
  window.onclick = (event) => {
    if (event.target instanceof Element && event.target.closest('[target=_blank]')) event.preventDefault();
  };
};

/**
 * Presses the second row of the list on the page twice in a row, at places beside each other: all but those on a button that
 * is there to change the email.
 *
 * @param list.rows - the rows, as a selector
 * @param list.unfolds - whether a press opens the row itself, above the rows after it
 * @param list.opens - what a press opens, where that is loaded when it is first needed
 * @param list.places - which of the places in the row, of `PLACES_IN_ROW`
 * @returns what moved, was asked or was changed
 */
export const pressTwice = async (
  page: Page,
  list: { rows: string; unfolds?: boolean; opens?: string; press: Press; places: readonly number[] },
): Promise<string[]> => {
  const { rows, unfolds, press } = list;
  const faults: string[] = [];
  const onTheirWay = new Set<Request>();
  const onRequest = (request: Request) => {
    const [, path] = /(\/api\/v1\/(?!events).*|\/assets\/.*)/.exec(request.url()) ?? [];
    if (path === undefined) return;
    onTheirWay.add(request);
    if (request.method() !== 'GET' && !path.endsWith('/lookup')) faults.push(`${request.method()} ${path}`);
  };
  const onEnd = (request: Request) => onTheirWay.delete(request);
  page.on('request', onRequest).on('requestfinished', onEnd).on('requestfailed', onEnd);
  const devtools = await page.context().newCDPSession(page);
  await page.evaluate(follow);
  let presses = 0;
  /** What is on the page once it is drawn with all that it has asked for. */
  const look = async (at?: Place) => {
    for (;;) {
      const seen = await page.evaluate(readPage, { rows, at });
      if (onTheirWay.size === 0 && seen.releases === presses) return seen;
    }
  };
  /** What is on the page once nothing happens there any more. */
  const lookAtLast = async () => {
    for (let mutations = -1; ; ) {
      const seen = await look();
      if (seen.mutations === mutations) return seen;
      mutations = seen.mutations;
    }
  };
  /** Closes what a press has opened. */
  const goBackTo = async (href: string) => {
    await page.goBack();
    await page.waitForURL(href);
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.locator(rows).nth(1).waitFor();
  };

  if (list.opens) {
    const { href } = await look();
    await page.locator(rows).nth(1).click();
    presses += 1;
    await page.locator(list.opens).waitFor();
    await goBackTo(href);
  }
  await lookAtLast();
  let time = Date.now() / 1_000;
  for (const index of list.places) {
    // A press outside of the window reaches nothing.
    await page.locator(rows).nth(1).scrollIntoViewIfNeeded();
    const { box } = await lookAtLast();
    if (!box) throw new Error(`there is no second row at ${page.url()}`);
    const at = { x: box.x + ((index + 0.5) / PLACES_IN_ROW) * box.width, y: box.y + box.height / 2 };
    // What shows up under the pointer belongs to the row before it is pressed.
    if (press === click) await page.mouse.move(at.x, at.y);
    const before = await look(at);
    if (before.isOnAction) continue;
    time = Math.max(Date.now() / 1_000, time + BETWEEN_DOUBLE_S);
    await press(devtools, at, time);
    presses += 1;
    const once = await lookAtLast();
    await press(devtools, at, time + BETWEEN_PRESSES_S);
    presses += 1;
    const twice = await look();
    const where = `${page.viewportSize()?.width} px, x ${Math.round(at.x)}`;
    for (const [id, place] of Object.entries(before.places).slice(0, unfolds ? 2 : undefined))
      if (once.places[id] !== undefined && once.places[id] !== place)
        faults.push(`${where}: row ${id} moved from ${place} to ${once.places[id]}`);
    if (twice.dialog !== once.dialog) faults.push(`${where}: ${twice.dialog ?? 'closed a dialog'}`);
    // A second press may take the first one back.
    if (![once.href, before.href].includes(twice.href))
      faults.push(`${where}: from ${once.href} to ${twice.href}`);
    if (twice.href !== before.href || twice.dialog !== undefined) await goBackTo(before.href);
  }
  page.off('request', onRequest).off('requestfinished', onEnd).off('requestfailed', onEnd);
  await devtools.detach();
  return faults;
};

/** Where the rows are, and whether a place is on a button that changes the email. */
const readPage = async ({ rows, at }: { rows: string; at?: Place | undefined }) => {
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const button = at && document.elementFromPoint(at.x, at.y)?.closest('button');
  const shown = [...document.querySelectorAll<HTMLElement>(rows)].filter((row) => row.checkVisibility());
  return {
    ...globalThis.happened,
    isOnAction: button != null && !button.matches('[data-row-id], [aria-expanded], [aria-haspopup]'),
    box: shown[1]?.getBoundingClientRect().toJSON() as DOMRect | undefined,
    places: Object.fromEntries(
      shown.map((row, index) => {
        const { x, y, width } = row.getBoundingClientRect();
        return [row.dataset.rowId ?? index, [x, y, width].map(Math.round).join(' ')];
      }),
    ) as Record<string, string>,
    dialog: document.querySelector('[role=dialog]')?.textContent ?? undefined,
    href: location.href,
  };
};
