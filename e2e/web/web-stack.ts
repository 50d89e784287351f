import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { signIn } from '../src/api-session.ts';
import { type LocalStack, startLocalStack } from '../src/local-stack.ts';
import { hasChromium, launchBrowser, openVisit, type Visit } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';
import { clearFaults } from './sandbox.ts';

/** The running product and a browser, for as long as a suite runs. */
export interface WebStack {
  stack: LocalStack;
  open: (options?: BrowserContextOptions) => Promise<Visit>;
  /**
   * Opens a screen as someone who has signed in. The sign-in takes place at the API: in the browser it is three pages
   * more, which the tests of sessions go through.
   */
  openAs: (page: Page, place: string, email: string) => Promise<void>;
}

/**
 * Starts the product and a browser for the calling suite and ends both after it; without Chromium nothing starts, as
 * the suite is skipped.
 *
 * @param prepareEnv - made before the start; what it returns is set for the stack
 * @param browserOptions - those of `launchBrowser`
 */
export const useWebStack = (
  prepareEnv: () => Promise<Record<string, string>> = async () => ({}),
  browserOptions?: Parameters<typeof launchBrowser>[0],
): WebStack => {
  const running: Partial<WebStack> & { browser?: Browser } = {};
  beforeAll(async () => {
    if (!hasChromium) return;
    ensureWebAppIsBuilt();
    const [stack, browser] = await Promise.all([
      prepareEnv().then(startLocalStack),
      launchBrowser(browserOptions),
    ]);
    Object.assign(running, {
      stack,
      browser,
      open: (options?: BrowserContextOptions) => openVisit(browser, stack.web, options),
      async openAs(page: Page, place: string, email: string) {
        const { session } = await signIn(stack.api, email);
        const [, name = '', value = ''] = /(.+?)=(.+)/.exec(session.cookie) ?? [];
        await page.context().addCookies([{ name, value, url: stack.api, httpOnly: true, sameSite: 'Lax' }]);
        await page.goto(place);
        await page.locator('#main').waitFor();
      },
    });
  });
  afterAll(async () => {
    await running.browser?.close();
    await running.stack?.stop();
  });
  return running as WebStack;
};

/**
 * Opens a fresh browser profile before each test of the calling suite. After each the sandbox's faults are taken
 * back, and the page must not have complained.
 *
 * @param arrive - brings the page to where the tests begin
 */
export const useFreshVisit = (web: WebStack, arrive: (page: Page) => Promise<void>): { page: Page } => {
  const current = {} as Visit;
  beforeEach(async () => {
    if (!hasChromium) return;
    Object.assign(current, await web.open());
    await arrive(current.page);
  });
  afterEach(async () => {
    if (!hasChromium) return;
    await clearFaults(web.stack.google);
    await current.close();
    expect(current.complaints).toEqual([]);
  });
  return current;
};
