import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '@mailsweep/database';
import got from 'got';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { hasChromium, signInAs, signInAt, signInAtProvider, skipReason } from './browser.ts';
import { clearFaults, orderFault } from './sandbox.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = 'grace@example.com';
const OTHER = 'katherine@example.com';
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0';

describe.skipIf(!hasChromium)(`sessions and outages in a browser${skipReason}`, () => {
  test('signing in leads back to the very screen that was asked for', async () => {
    await signInAt(page, '/history?source=inbox', USER);
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/history?source=inbox');
  });

  test('a session that ended elsewhere leads to the sign-in, back to the same filters, and offers what it interrupted', async () => {
    await signInAt(page, '/inbox?unread=true', USER);
    await page.locator('[role=row]').first().waitFor();
    await page.waitForLoadState('networkidle');
    // What the page asks for by itself would find the session ended before the action does: it is not answered.
    const reads = `${web.stack.api}/api/**`;
    await page.route(reads, (route) => (route.request().method() === 'GET' ? undefined : route.continue()));
    await endSession(page);
    await page.keyboard.press('j');
    await page.keyboard.press('e');
    await page.getByText('Your session has ended.').waitFor();
    await page.unroute(reads);
    await signInAs(page, USER);
    await page.locator('[role=row]').first().waitFor();
    expect(page.url()).toBe(`${web.stack.web}/inbox?unread=true`);

    await page.getByRole('alert').getByText('1 email not archived yet').waitFor();
    const first = page.locator('[role=row]').first();
    const id = await first.getAttribute('data-row-id');
    await page.getByRole('alert').getByRole('button', { name: 'Archive 1' }).click();
    await page.getByRole('alert').getByText('1 email archived').waitFor();
    await expect.poll(() => first.getAttribute('data-row-id')).not.toBe(id);
    await page.keyboard.press('z');
    await page.getByRole('alert').getByText('Undone: 1 email put back').waitFor();
  });

  test('the next user of a tab gets neither the address nor the search of the one before', async () => {
    await signInAt(page, '/inbox?q=diagnosis', USER);
    await page.waitForLoadState('networkidle');
    await endSession(page);
    await page.reload();
    await signInAs(page, OTHER);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await expect.poll(() => page.url()).toBe(`${web.stack.web}/`);
    expect(await page.content()).not.toContain('diagnosis');
  });

  test('signing out ends the session for good', async () => {
    await signInAt(page, '/settings', USER);
    await page.getByText('Connected').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    await page.goto('/inbox');
    await page.getByRole('link', { name: 'Continue with Google' }).waitFor();
  });

  test('the Back button after a sign-out shows nothing of the account', async () => {
    await signInAt(page, '/inbox', USER);
    await page.locator('[role=row]').first().waitFor();
    await page.getByRole('link', { name: 'Settings' }).first().click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('You are signed out.').waitFor();
    const responses: number[] = [];
    page.on('response', (response) => {
      const url = response.url();
      // The page of the sign-in lists the providers, which are no secret.
      if (url.startsWith(`${web.stack.api}/api/`) && !url.endsWith('/providers'))
        responses.push(response.status());
    });
    await page.addInitScript(() => {
      // Whatever of the account a page draws, though it be for a moment, is kept for the assertion.
      new MutationObserver(() => {
        const drawn = document.querySelector('nav[aria-label=Screens], [role=row]');
        if (drawn) sessionStorage.setItem('drawn', drawn.outerHTML);
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goBack();
    await page.getByRole('link', { name: 'Continue with Google' }).waitFor();
    expect(await page.evaluate(() => sessionStorage.getItem('drawn'))).toBeNull();
    expect(new Set(responses)).toEqual(new Set([401]));
  });

  test.each(['/inbox', '/history', 'docs'])(
    'a page that the browser kept for Back shows its user alone: %s',
    async (place) => {
      const isApp = place !== 'docs';
      await signInAt(page, isApp ? place : '/settings', USER);
      if (isApp) await page.getByRole('navigation', { name: 'Screens' }).waitFor();
      else await readMeInDocs(page);
      // What came back, and what shows of the user before in any frame from then on.
      await page.evaluate((email) => {
        window.addEventListener('pageshow', ({ persisted }) => {
          sessionStorage.clear();
          sessionStorage.setItem('persisted', String(persisted));
          const look = () => {
            const isVisible = document.body.checkVisibility({ visibilityProperty: true });
            if (isVisible && document.body.textContent?.includes(email))
              sessionStorage.setItem('shown', email);
            requestAnimationFrame(look);
          };
          look();
        });
      }, USER);
      const readStored = (key: string) => page.evaluate((name) => sessionStorage.getItem(name), key);
      const leaveAndReturn = async (meanwhile: () => Promise<void>) => {
        await page.goto(`${web.stack.google}/sandbox`);
        await meanwhile();
        // Later, for the page that is left answers no more.
        await page.evaluate(() => void setTimeout(() => history.back()));
      };
      if (isApp) {
        await leaveAndReturn(async () => undefined);
        await expect.poll(() => readStored('shown')).toBe(USER);
        expect(await readStored('persisted')).toBe('true');
      }
      await leaveAndReturn(() => changeUser(page));
      // Stored by that page alone: it waits until Back has arrived.
      await expect.poll(() => readStored('persisted')).toBe('true');
      await expect.poll(() => page.evaluate(() => document.body.textContent)).not.toContain(USER);
      if (isApp) await page.getByText(OTHER).first().waitFor();
      expect(await readStored('shown')).toBeNull();
    },
  );

  test('a page that another user has overtaken does nothing more, and starts over', async () => {
    await signInAt(page, '/inbox', USER);
    await page.locator('[role=row]').first().waitFor();
    await page.waitForLoadState('networkidle');
    await changeUser(page);
    const [refused] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'POST'),
      page.keyboard.press('j').then(() => page.keyboard.press('e')),
    ]);
    expect(refused.status()).toBe(403);
    await page.getByText(OTHER).first().waitFor();
    const batches = await page.request.get(`${web.stack.api}/api/v1/notifications/history/batches`);
    expect(await batches.json()).toMatchObject({ total: 0 });
    // Nor is it done later, when another user has signed in.
    await expect
      .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('work'))))
      .toEqual([]);
  });

  test('signing out everywhere ends the session of another browser too', async () => {
    const other = await web.open();
    await signInAt(other.page, '/settings', USER);
    await signInAt(page, '/settings', USER);
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByText('You are signed out here and on every other device.').waitFor();
    await other.page.goto('/inbox');
    await other.page.getByRole('link', { name: 'Continue with Google' }).waitFor();
    await other.close();
  });

  test('what is stored can be downloaded, and erased by who types the own address', async () => {
    await signInAt(page, '/settings', USER);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('mailsweep-export.json');
    expect(JSON.parse(readFileSync(await download.path(), 'utf8')).data.User).toMatchObject([
      { email: USER },
    ]);

    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel(/to confirm/).fill(USER);
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('Everything stored about you was erased').waitFor();
    await page.goto('/inbox');
    await page.getByRole('link', { name: 'Continue with Google' }).waitFor();
  });

  test('another browser can be signed out from the list, which the account’s activity tells', async () => {
    const other = await web.open({ userAgent: FIREFOX });
    await signInAt(other.page, '/settings', USER);
    await signInAt(page, '/settings', USER);
    await page.getByText('This browser').waitFor();
    await page.getByRole('button', { name: /^Sign out Firefox on Windows/ }).click();
    await page.getByRole('button', { name: /^Sign out Firefox on Windows/ }).waitFor({ state: 'hidden' });
    const latest = page.getByRole('list', { name: 'Account activity' }).getByRole('listitem').first();
    await latest.getByText('Signed out another browser').waitFor();

    await other.page.goto('/inbox');
    await other.page.getByRole('link', { name: 'Continue with Google' }).waitFor();
    await other.close();
  });

  test('a download long after the sign-in goes on after a new one', async () => {
    await signInAt(page, '/settings', USER);
    await page.getByText('Connected').waitFor();
    await signedInAnHourAgo();
    await page.getByRole('button', { name: 'Download' }).click();
    // The provider knows the account, and lets nobody through without a word all the same.
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await signInAtProvider(page, USER);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download now' }).click(),
    ]);
    expect(JSON.parse(readFileSync(await download.path(), 'utf8')).data.User).toMatchObject([
      { email: USER },
    ]);
    await page.getByRole('button', { name: 'Download now' }).waitFor({ state: 'hidden' });
    expect(page.url()).toBe(`${web.stack.web}/settings`);
  });

  test('an erasure long after the sign-in does nothing before a new one', async () => {
    await signInAt(page, '/settings', USER);
    await page.getByText('Connected').waitFor();
    await signedInAnHourAgo();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByLabel(/to confirm/).fill(USER);
    await page.getByRole('button', { name: 'Delete for good' }).click();
    // The provider knows the account, and lets nobody through without a word all the same.
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await signInAtProvider(page, USER);
    await page.waitForURL('**/settings?continue=erase');
    await page.getByLabel(/to confirm/).fill(USER);
    await page.getByRole('button', { name: 'Delete for good' }).click();
    await page.getByText('Everything stored about you was erased').waitFor();
  });

  test('a refused consent is explained where the user can try again', async () => {
    await page.goto('/auth/callback?error=access_denied');
    await page.getByRole('alert').getByText('You did not grant access').waitFor();
    await page.goto('/auth/callback?error=%3Cscript%3E');
    await page.getByRole('alert').getByText('Google could not complete the sign-in').waitFor();
  });

  test('a lapsed mailbox connection asks for its renewal, and returns to the screen afterwards', async () => {
    await signInAt(page, '/settings', USER);
    await orderFault(web.stack.google, { user: USER, kind: 'unauthorized', path: '^/gmail/', times: 50 });
    await orderFault(web.stack.google, { user: USER, kind: 'invalid_grant', path: '/token', times: 50 });
    await page.goto('/inbox');
    await page
      .getByRole('heading', { name: 'Your mailbox connection has to be renewed' })
      .waitFor({ timeout: 30_000 });
    await clearFaults(web.stack.google);
    await page.getByRole('button', { name: 'Renew with Google' }).click();
    await signInAtProvider(page, USER);
    await page.locator('[role=row]').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/inbox');
  });

  test('without the classification service the email is shown all the same, and gently explained', async () => {
    await signInAt(page, '/suggestions', USER);
    await page.getByText('Suggestions are taking a break.').waitFor({ timeout: 30_000 });
    const mails = page.getByRole('list', { name: 'Latest emails' }).getByRole('listitem');
    expect(await mails.count()).toBeGreaterThan(10);
  });
});

/** Signs out in another tab, where someone else signs in. */
const changeUser = async (on: Page): Promise<void> => {
  const tab = await on.context().newPage();
  await tab.goto('/settings');
  await tab.getByRole('button', { name: 'Sign out', exact: true }).click();
  await tab.getByText('You are signed out.').waitFor();
  await signInAs(tab, OTHER);
  await tab.close();
};

/** Has the documentation of the API show who is signed in. */
const readMeInDocs = async (on: Page): Promise<void> => {
  await on.goto(`${web.stack.api}/docs#/Account/getMe`);
  const operation = on.locator('#operations-Account-getMe');
  await operation.getByRole('button', { name: 'Execute' }).click();
  await operation.locator('.live-responses-table').getByText(USER).first().waitFor();
};

/** Lets every session have begun long ago. */
const signedInAnHourAgo = async (): Promise<void> => {
  const database = openDatabase({ databaseUrl: web.stack.database, poolSize: 1 });
  try {
    await database.$executeRaw`UPDATE "Session" SET "createdAt" = now() - interval '1 hour'`;
  } finally {
    await database.$disconnect();
  }
};

/** Ends the session behind the app's back, as a sign-out in another tab does. */
const endSession = async (on: Page): Promise<void> => {
  const cookies = await on.context().cookies(web.stack.api);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  await got.post(`${web.stack.api}/auth/logout`, { headers: { cookie, origin: web.stack.web }, json: {} });
};

/** Stands where the classification service should be, and is always out of order. */
const startSilentClassifier = async (): Promise<Server> => {
  const server = createServer((_request, response) => response.writeHead(503).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

let classifier: Server;
// A stack of its own: its classification service is out of order, and all its sessions grow old.
const web = useWebStack(
  async () => {
    classifier = await startSilentClassifier();
    return { ML_BASE_URL: `http://127.0.0.1:${(classifier.address() as AddressInfo).port}` };
  },
  { keepsPages: true },
);
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
});
afterAll(() => {
  classifier?.close();
});
