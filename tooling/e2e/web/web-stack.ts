import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, type TestContext } from 'vitest';
import { signIn } from '../src/api-session.ts';
import { type LocalStack, type SharedStack, startLocalStack } from '../src/local-stack.ts';
import { shareStack } from '../src/shared-stack.ts';
import { hasChromium, launchBrowser, openVisit, type Visit } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';
import { clearFaults } from './sandbox.ts';

/** The running product and a browser, for as long as a suite runs. */
export interface WebStack {
  stack: SharedStack;
  open: (options?: BrowserContextOptions) => Promise<Visit>;
  /**
   * Opens a screen as someone who has signed in. The sign-in takes place at the API: in the browser it is three pages
   * more, which the tests of sessions go through.
   */
  openAs: (page: Page, place: string, email: string) => Promise<void>;
}

/**
 * Starts a browser for the calling suite, on the stack that all files share or on one of its own, and ends what it started;
 * without Chromium nothing starts, as the suite is skipped.
 *
 * @param prepareEnv - starts a stack for the suite alone, with the variables that it returns
 * @param browserOptions - those of `launchBrowser`
 */
export const useWebStack = (
  prepareEnv?: () => Promise<Record<string, string>>,
  browserOptions?: Parameters<typeof launchBrowser>[0],
): WebStack => {
  const running: Partial<WebStack> & { browser?: Browser } = {};
  let ownStack: LocalStack | undefined;
  const opened = new Set<Page>();
  afterEach(({ task }) => quoteScreens(task, opened));
  beforeAll(async () => {
    if (!hasChromium) return;
    ensureWebAppIsBuilt();
    const startOwn = async (prepare: NonNullable<typeof prepareEnv>) => {
      ownStack = await startLocalStack(await prepare());
      return ownStack;
    };
    const [stack, browser] = await Promise.all([
      prepareEnv ? startOwn(prepareEnv) : shareStack(),
      launchBrowser(browserOptions),
    ]);
    Object.assign(running, {
      stack,
      browser,
      async open(options?: BrowserContextOptions) {
        const visit = await openVisit(browser, stack.web, options);
        opened.add(visit.page);
        return visit;
      },
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
    await ownStack?.stop();
  });
  return running as WebStack;
};

/**
 * Opens a fresh browser profile before each test of the calling suite. After each the sandbox's faults are taken
 * back, and the page must not have complained.
 *
 * @param arrive - brings the page to where the tests begin; told how often the test was tried before
 */
export const useFreshVisit = (
  web: WebStack,
  arrive: (page: Page, attempt: number) => Promise<void>,
): { page: Page } => {
  const current = {} as Visit;
  beforeEach(async ({ task }) => {
    if (!hasChromium) return;
    Object.assign(current, await web.open());
    await arrive(current.page, task.result?.retryCount ?? 0);
  });
  afterEach(async ({ task }) => {
    if (!hasChromium) return;
    await quoteScreens(task, [current.page]);
    await clearFaults(web.stack.google);
    await current.close();
    expect(current.complaints).toEqual([]);
  });
  return current;
};

/** Most of a screen's text that an error quotes. Unit: characters. */
const QUOTED = 1_000;

/** Adds what the screens show to the error of a test that failed: where nobody watches, a time-out says too little. */
const quoteScreens = async (task: TestContext['task'], pages: Iterable<Page>): Promise<void> => {
  const error = task.result?.errors?.at(-1);
  if (task.result?.state !== 'fail' || error === undefined) return;
  for (const page of pages) {
    if (page.isClosed()) continue;
    // biome-ignore lint/performance/useDomNodeTextContent: what is hidden is of no use here
    const text = await page.locator('body').innerText({ timeout: 5_000 });
    const words = text.replaceAll(/\s+/g, ' ');
    // Messages come last.
    const quoted =
      words.length > QUOTED ? `${words.slice(0, QUOTED * 0.7)}…${words.slice(-QUOTED * 0.3)}` : words;
    const shown = `[${page.url()} showed: ${quoted}]`;
    error.message = error.message.replace(/\n|$/, (end) => ` ${shown}${end}`);
    if (error.stack) error.stack = error.stack.replace(/\n|$/, (end) => ` ${shown}${end}`);
  }
};
