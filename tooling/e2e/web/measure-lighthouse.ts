import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalStack } from '../src/local-stack.ts';
import { launchBrowser, openVisit, signInAt } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';

/** Downloaded by npx when it is not there yet. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const RUNS = 5;
const SCREENS = ['/', '/inbox', '/suggestions', '/senders'];
const SCAN = { timeout: 180_000 };

interface Report {
  categories: Record<string, { score: number }>;
  audits: Record<string, { numericValue?: number }>;
}
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
/** Unit of each: milliseconds. */
const AUDITS = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time'];

/** Now and then Chrome loses the beginning of a trace; running Lighthouse again is what its team advises (GoogleChrome/lighthouse#5463). */
const LOST_TRACE = 'NO_NAVSTART';
const MAX_ATTEMPTS = 3;

/** What Lighthouse says of a screen on a slow phone, which is its default. */
const measure = (url: URL, folder: string, attempt = 1): Report => {
  const output = join(folder, 'report.json');
  const { status, stderr } = spawnSync(
    'npx',
    [
      ...['--yes', LIGHTHOUSE, url.href, '--quiet', '--output=json', `--output-path=${output}`],
      ...[`--only-categories=${CATEGORIES}`, `--extra-headers=${join(folder, 'headers.json')}`],
      '--chrome-flags=--headless=new --no-sandbox',
    ],
    { encoding: 'utf8' },
  );
  if (stderr.includes(LOST_TRACE) && attempt < MAX_ATTEMPTS) return measure(url, folder, attempt + 1);
  if (status !== 0) throw new Error(`Lighthouse failed:\n${stderr}`);
  return JSON.parse(readFileSync(output, 'utf8'));
};

const toMedian = (values: number[]): number => values.toSorted((one, other) => one - other)[RUNS >> 1] ?? 0;

const toLine = (reports: Report[]): string =>
  [
    ...CATEGORIES.map((id) => [
      id,
      toMedian(reports.map(({ categories }) => (categories[id]?.score ?? 0) * 100)),
    ]),
    ...AUDITS.map((id) => [id, toMedian(reports.map(({ audits }) => audits[id]?.numericValue ?? 0))]),
  ]
    .map(([id, value]) => `${id} ${Math.round(Number(value))}`)
    .join(', ');

ensureWebAppIsBuilt();
const stack = await startLocalStack({});
const browser = await launchBrowser();
const folder = mkdtempSync(join(tmpdir(), 'mailsweep-lighthouse-'));
try {
  const { page, close } = await openVisit(browser, stack.web);
  await signInAt(page, '/', 'ada@example.com');
  await page.getByText('Your whole mailbox is scanned').first().waitFor(SCAN);
  const cookies = await page.context().cookies();
  await close();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  writeFileSync(join(folder, 'headers.json'), JSON.stringify({ cookie }));
  for (const screen of SCREENS) {
    const reports = Array.from({ length: RUNS }, () => measure(new URL(screen, stack.web), folder));
    process.stdout.write(`${screen} (medians): ${toLine(reports)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
  await browser.close();
  await stack.stop();
}
