import { type JmapServer, startJmapServer } from '@mailsweep/mail/provider-connection/testing';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findFaultsInAllColors } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const USER = 'ada@jmap.example';

describe.skipIf(!hasChromium)(`users of JMAP servers in a browser${skipReason}`, () => {
  test('sign in by OAuth, and find the name of the server in the settings', async () => {
    const { page, close } = await web.open();
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Continue with Example Mail' }).click();
    await page.waitForURL(`${web.stack.web}/`);
    await page.goto('/settings');
    await connection(page).getByText('Example Mail', { exact: true }).waitFor();
    await page.getByText('Connected').waitFor();
    await close();
  });

  test('are offered no sign-in with Google where the operator has no client there', async () => {
    const { page, close } = await web.open();
    await page.route('**/api/v1/providers', async (route) => {
      const response = await route.fetch();
      const { data } = (await response.json()) as { data: { key: string }[] };
      const others = data.filter(({ key }) => key !== 'gmail');
      await route.fulfill({ response, json: { data: others } });
    });
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Continue with Google' }).waitFor({ state: 'detached' });
    expect(await page.getByText('When Google asks').count()).toBe(0);
    await page.getByRole('link', { name: 'Continue with My own server' }).waitFor();
    await close();
  });

  test('sign in with a token that they made, at the second attempt', async () => {
    const { page, close } = await web.open();
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Continue with My own server' }).click();
    await page.getByLabel('Token of My own server').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Continue with My own server' }).click();
    const token = page.getByLabel('Token of My own server');
    await token.fill('none-of-its');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('My own server does not accept this token').waitFor();
    await token.fill(jmap.issueToken(USER));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${web.stack.web}/`);
    await page.goto('/settings');
    await connection(page).getByText('My own server', { exact: true }).waitFor();
    await close();
  });

  test('can use the page with every aid, in all colours, and in German', async () => {
    const { page, complaints, close } = await web.open({ locale: 'de-DE' });
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Weiter mit My own server' }).waitFor();
    expect(await findFaultsInAllColors(page)).toEqual([]);
    await page.getByLabel(/Oder finde deinen/).fill('ada@127.0.0.1');
    await page.getByRole('button', { name: 'Finden' }).click();
    await page.getByText('Keiner dieser E-Mail-Anbieter').waitFor();
    await page.getByRole('link', { name: 'Weiter mit My own server' }).click();
    await page.getByLabel('Token von My own server').waitFor();
    expect(await findFaultsInAllColors(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });
});

/** The list of mailboxes names the server, too. */
const connection = (page: Page): Locator =>
  page.locator('section', { has: page.getByRole('heading', { name: 'Mailbox connection' }) });

let jmap: JmapServer;
// A stack of its own: people sign in there at more than Google.
const web = useWebStack(async () => {
  jmap = await startJmapServer({ users: { [USER]: { accountId: 'u1' } }, consenting: USER });
  const { url: issuer, sessionUrl } = jmap;
  return {
    JMAP_PROVIDERS: JSON.stringify([
      { key: 'example', name: 'Example Mail', sessionUrl, issuer, clientId: 'client' },
      { key: 'own', name: 'My own server', sessionUrl, token: true },
    ]),
  };
});
afterAll(() => jmap?.close());
