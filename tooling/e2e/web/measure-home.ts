/// <reference lib="dom" />
import { setTimeout as delay } from 'node:timers/promises';
import { startLocalStack } from '../src/local-stack.ts';
import { launchBrowser, openVisit, signInAt } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';

const RUNS = 10;
/** What a call to Gmail takes. Unit: milliseconds. */
const LATENCY_MS = 70;
const SCAN = { timeout: 180_000 };

/** Middle and largest of some times. */
const toLine = (times: number[]): string => {
  const sorted = times.toSorted((one, other) => one - other);
  return `median ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0)} ms, most ${Math.round(sorted.at(-1) ?? 0)} ms`;
};

ensureWebAppIsBuilt();
const stack = await startLocalStack({ SANDBOX_LATENCY_MS: String(LATENCY_MS) });
const browser = await launchBrowser();
try {
  const { page, close } = await openVisit(browser, stack.web);
  await signInAt(page, '/', 'ada@example.com');
  await page.getByText('Your whole mailbox is scanned').first().waitFor(SCAN);
  const times = { mailbox: [] as number[], suggestions: [] as number[] };
  const requests = new Map<string, number[]>();
  // Recorded in the page itself: a query from outside would arrive late.
  await page.addInitScript(() => {
    const seen: Record<string, number> = {};
    Object.assign(globalThis, { seen });
    new MutationObserver(() => {
      const mailbox = document.querySelector('[aria-labelledby=numbers-title] strong')?.textContent ?? '';
      const suggestions = document.querySelector('[aria-labelledby=clearable-title] p')?.textContent ?? '';
      for (const [name, text] of Object.entries({ mailbox, suggestions })) {
        if (/\d/.test(text)) seen[name] ??= performance.now();
      }
    }).observe(document, { childList: true, subtree: true, characterData: true });
  });
  for (let run = 0; run < RUNS; run += 1) {
    await page.goto('about:blank');
    await delay(1_000);
    await page.goto('/', { waitUntil: 'commit' });
    const shown = await page.waitForFunction(() => {
      const { seen } = globalThis as unknown as { seen: Record<string, number> };
      return seen.mailbox && seen.suggestions ? { ...seen } : null;
    });
    const { mailbox = 0, suggestions = 0 } = (await shown.jsonValue()) ?? {};
    times.mailbox.push(mailbox);
    times.suggestions.push(suggestions);
    const entries = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .map((entry) => [new URL(entry.name).pathname, entry.startTime, entry.responseEnd] as const),
    );
    for (const [path, startMs, endMs] of entries) {
      const name = path.startsWith('/api') || path.startsWith('/auth') ? path : 'parts of the app';
      requests.set(`${name} begins`, [...(requests.get(`${name} begins`) ?? []), startMs]);
      requests.set(`${name} ends`, [...(requests.get(`${name} ends`) ?? []), endMs]);
    }
  }
  for (const [what, list] of [...Object.entries(times), ...requests])
    process.stdout.write(`${what}: ${toLine(list)}\n`);
  await close();
} finally {
  await browser.close();
  await stack.stop();
}
