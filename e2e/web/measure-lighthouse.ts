import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startLocalStack } from '../src/local-stack.ts';
import { launchBrowser, openVisit, signInAt } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';

/** Downloaded by npx when it is not there yet. */
const LIGHTHOUSE = 'lighthouse@13.5.0';
const RUNS = 3;
const SCREENS = ['/', '/inbox', '/suggestions', '/senders'];
const SCAN = { timeout: 180_000 };

interface Report {
  categories: { performance: { score: number } };
  audits: Record<string, { displayValue?: string }>;
}
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
      ...['--only-categories=performance', `--extra-headers=${join(folder, 'headers.json')}`],
      '--chrome-flags=--headless=new --no-sandbox',
    ],
    { encoding: 'utf8' },
  );
  if (stderr.includes(LOST_TRACE) && attempt < MAX_ATTEMPTS) return measure(url, folder, attempt + 1);
  if (status !== 0) throw new Error(`Lighthouse failed:\n${stderr}`);
  return JSON.parse(readFileSync(output, 'utf8'));
};

const toLine = ({ categories, audits }: Report): string =>
  `${Math.round(categories.performance.score * 100)} (${AUDITS.map((id) => `${id} ${audits[id]?.displayValue}`).join(', ')})`;

ensureWebAppIsBuilt();
const stack = await startLocalStack({});
const browser = await launchBrowser();
const folder = mkdtempSync(join(tmpdir(), 'mailsweep-lighthouse-'));
try {
  const { page, close } = await openVisit(browser, stack.web);
  await signInAt(page, '/', 'ada@example.com');
  await page.getByRole('button', { name: 'Scan my mailbox' }).click();
  await page.getByText('Your whole mailbox is scanned').first().waitFor(SCAN);
  const cookies = await page.context().cookies();
  await close();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  writeFileSync(join(folder, 'headers.json'), JSON.stringify({ cookie }));
  for (const screen of SCREENS) {
    for (let run = 0; run < RUNS; run += 1)
      process.stdout.write(`${screen} ${toLine(measure(new URL(screen, stack.web), folder))}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
  await browser.close();
  await stack.stop();
}
