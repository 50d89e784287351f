/// <reference lib="dom" />
import { startLocalStack } from '../src/local-stack.ts';
import { launchBrowser, openVisit, signInAt } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';

const RUNS = 5;
/** A slow 3G connection. Units: milliseconds and bytes per second. */
const SLOW_3G = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const PHONE = { width: 390, height: 844 };
/** What makes home useful: how much email there is, and what can be cleaned. */
const USEFUL = ['[aria-labelledby=numbers-title] strong', '[aria-labelledby=clearable-title] p'];
const SCAN = { timeout: 180_000 };

ensureWebAppIsBuilt();
const stack = await startLocalStack();
const browser = await launchBrowser();
try {
  const signedIn = await openVisit(browser, stack.web);
  await signInAt(signedIn.page, '/', 'ada@example.com');
  await signedIn.page.getByText('Your whole mailbox is scanned').first().waitFor(SCAN);
  const storageState = await signedIn.page.context().storageState();
  await signedIn.close();
  for (let run = 0; run < RUNS; run += 1) {
    const { page, close } = await openVisit(browser, stack.web, { storageState, viewport: PHONE });
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_3G);
    let bytes = 0;
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    // Recorded in the page itself: a query from outside would arrive late.
    await page.addInitScript((selectors) => {
      new MutationObserver(() => {
        const isUseful = selectors.every((selector) =>
          /\d/.test(document.querySelector(selector)?.textContent ?? ''),
        );
        if (isUseful && !performance.getEntriesByName('useful').length) performance.mark('useful');
      }).observe(document, { childList: true, subtree: true, characterData: true });
    }, USEFUL);
    await page.goto('/', { waitUntil: 'commit' });
    const shown = await page.waitForFunction(() => performance.getEntriesByName('useful')[0]?.startTime);
    process.stdout.write(
      `home is useful after ${Math.round(Number(await shown.jsonValue()))} ms and ${bytes} bytes\n`,
    );
    await close();
  }
} finally {
  await browser.close();
  await stack.stop();
}
