/// <reference lib="dom" />
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { type RunningSandbox, readSettings, startGoogleSandbox } from '@mailsweep/google-sandbox';
import { findFreePort } from '@mailsweep/service-kit/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalStack, startLocalStack } from '../src/local-stack.ts';
import { findFaultsInAllColors } from './accessibility.ts';
import { hasChromium, launchBrowser, openVisit, signInAs, skipReason } from './browser.ts';

const PHONE = { viewport: { width: 390, height: 844 } };
const CLIENT = {
  clientId: '123-abc.apps.googleusercontent.com',
  clientSecret: 'GOCSPX-0123456789abcdefghij',
};

describe.skipIf(!hasChromium)(`the set-up${skipReason}`, () => {
  test('leads from the sample mailboxes to one’s own', { timeout: 240_000 }, async () => {
    const { page, complaints, close } = await openVisit(browser, stack.web, PHONE);
    await page.context().grantPermissions(['clipboard-write']);
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await page.getByRole('link', { name: 'Connect your own' }).click();
    expect(await findFaultsInAllColors(page)).toEqual([]);

    await page.getByRole('link', { name: /^Gmail/ }).click();
    await page.getByLabel(/of your project/).fill('https://console.cloud.google.com/home?project=my-mail-42');
    await page.reload();
    await page.getByRole('link', { name: /next/ }).click();
    const library = 'https://console.cloud.google.com/apis/library/gmail.googleapis.com?project=my-mail-42';
    expect(await page.getByRole('link', { name: /Gmail API/ }).getAttribute('href')).toBe(library);
    for (const title of [
      'Describe the app',
      'Let yourself in',
      'Choose what it may do',
      'Create the client',
    ]) {
      await page.getByRole('link', { name: /next/ }).press('Enter');
      await page.getByRole('heading', { name: title }).waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    }
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByText('Copied').waitFor();

    await page.getByLabel('Client ID', { exact: true }).fill(CLIENT.clientId);
    const secret = page.getByLabel('Client secret');
    await secret.fill('GOCSPX-another-secret-of-theirs');
    await secret.press('Enter');
    await page.getByText('The secret is not of this client ID').waitFor();
    expect(await findFaultsInAllColors(page)).toEqual([]);
    await page.reload();
    expect(await secret.inputValue()).toBe('GOCSPX-another-secret-of-theirs');
    expect(page.url()).not.toContain('another-secret');
    await page.getByLabel(/JSON file/).setInputFiles({
      name: 'client_secret.json',
      mimeType: 'application/json',
      buffer: Buffer.from(
        JSON.stringify({ web: { client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret } }),
      ),
    });
    await page.getByRole('button', { name: 'Check and save' }).click();

    await page.getByText('Mailsweep is ready').waitFor({ timeout: 120_000 });
    expect(await findFaultsInAllColors(page)).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
    expect(parseEnv(readFileSync(envFile, 'utf8'))).toEqual({
      KEPT: 'yes',
      OAUTH_CLIENT_ID: CLIENT.clientId,
      OAUTH_CLIENT_SECRET: CLIENT.clientSecret,
      OAUTH_REDIRECT_URI: `${stack.api}/auth/idp/callback`,
    });
    await page.getByRole('link', { name: 'Sign in', exact: true }).click();
    await signInAs(page, 'ada@example.com');
    expect(complaints).toEqual([]);
    await close();
  });
});

let folder: string;
let envFile: string;
/** In the place of Google itself. */
let google: RunningSandbox;
let stack: LocalStack;
let browser: Browser;
beforeAll(async () => {
  if (!hasChromium) return;
  folder = mkdtempSync(join(tmpdir(), 'mailsweep-setup-'));
  envFile = join(folder, '.env');
  writeFileSync(envFile, 'KEPT=yes\n');
  const port = await findFreePort();
  const client = { ...CLIENT, redirectUris: [`http://localhost:${port}/auth/idp/callback`] };
  google = await startGoogleSandbox(
    readSettings({ PORT: `${await findFreePort()}`, SANDBOX_OAUTH_CLIENTS: JSON.stringify([client]) }),
  );
  [stack, browser] = await Promise.all([
    startLocalStack(
      { PORT: `${port}`, OAUTH_ISSUER: google.url, GMAIL_BASE_URL: google.url },
      mkdtempSync(join(tmpdir(), 'mailsweep-e2e-')),
      ['--setup', '--variables', envFile],
    ),
    launchBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  await google?.close();
  if (folder) rmSync(folder, { recursive: true });
});
