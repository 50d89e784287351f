import { chromiumPath, headlessShellPath } from '@mailsweep/stack/testing';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Whether the browser tests can run; they are skipped by name where Chromium is not installed. */
export const hasChromium = chromiumPath !== undefined;
/** Why they are skipped, for the title of the suite. */
export const skipReason = hasChromium ? '' : ' (skipped: install chromium, or set CHROMIUM_PATH)';

/**
 * Starts a browser that talks to this machine alone.
 *
 * @param options.showsNotifications - whether it has to; costs processor time
 * @param options.keepsPages - whether it keeps pages for the Back button, as outside of tests; costs as much
 * @param options.drawsFinely - whether letters stand where dense screens show them, for pictures
 */
export const launchBrowser = ({
  showsNotifications = false,
  keepsPages = false,
  drawsFinely = false,
} = {}): Promise<Browser> =>
  chromium.launch({
    ignoreDefaultArgs: keepsPages ? ['--disable-back-forward-cache'] : [],
    executablePath: (showsNotifications || keepsPages ? undefined : headlessShellPath) ?? chromiumPath ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(drawsFinely ? ['--font-render-hinting=none'] : []),
    ],
  });

/** Begins the line that the page logs for each violation of its Content-Security-Policy. */
const VIOLATION = 'policy violation:';

/** Runs in each document: the browser keeps quiet about a violation that the page's own code has caught. */
export const REPORT_VIOLATIONS = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error('${VIOLATION}', violatedDirective, blockedURI))`;

/** Whether a line of the console is from {@link REPORT_VIOLATIONS}. */
export const isViolation = (line: string): boolean => line.startsWith(VIOLATION);

/** A fresh browser profile with one page, and everything the page complained about. */
export interface Visit {
  page: Page;
  /** Errors that no code caught, and violations of the Content-Security-Policy. */
  complaints: string[];
  close(): Promise<void>;
}

/** Far more than a page takes: a slow machine alone must not fail a test. */
const WAIT_MS = 60_000;

/** Opens the app as someone who has never been there. */
export const openVisit = async (
  browser: Browser,
  web: string,
  options: BrowserContextOptions = {},
): Promise<Visit> => {
  const context = await browser.newContext({
    baseURL: web,
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    // It would load what a test means to be missing.
    serviceWorkers: 'block',
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(REPORT_VIOLATIONS);
  page.on('console', (message) => {
    if (isViolation(message.text()) && page.url().startsWith(web)) complaints.push(message.text());
  });
  return { page, complaints, close: () => context.close() };
};

/** Signs in by the sandbox's own pages, from wherever the app asks for it. */
export const signInAs = async (page: Page, email: string): Promise<void> => {
  await page.getByRole('link', { name: 'Continue with Google' }).click();
  await signInAtProvider(page, email);
};

/**
 * Chooses an account on the sandbox's own pages, and waits until the app is back.
 *
 * @param arrival - what the app shows then; by default any of its screens
 */
export const signInAtProvider = async (
  page: Page,
  email: string,
  arrival = page.getByRole('navigation', { name: 'Screens' }),
): Promise<void> => {
  const address = page.getByLabel('Another account');
  const consent = page.getByRole('button', { name: 'Continue', exact: true });
  // Who is known is asked for consent at once.
  await address.or(consent).first().waitFor();
  if (await address.isVisible()) {
    await address.fill(email);
    await address.press('Enter');
  }
  // Who has consented before may come straight back.
  await arrival.or(consent).first().waitFor();
  if (await consent.isVisible()) {
    await page.getByRole('checkbox').check();
    await consent.click();
  }
  await arrival.waitFor();
};

/** Opens one screen and signs in on the way. */
export const signInAt = async (page: Page, place: string, email: string): Promise<void> => {
  await page.goto(place);
  await signInAs(page, email);
};
