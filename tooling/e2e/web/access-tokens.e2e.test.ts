import type { Cleanup } from '@mailsweep/contracts';
import got from 'got';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('grace');

describe.skipIf(!hasChromium)(`access tokens in a browser${skipReason}`, () => {
  test('are made in the settings, used by a program within their scope, and end when they are revoked', async () => {
    await page.getByText('There are no access tokens').waitFor();
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Backup');
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make token' }).click();
    const secret = await dialog.getByLabel('Access token').inputValue();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Done' }).click();

    expect((await send('get', 'me', secret)).body).toMatchObject({ email: USER, token: { name: 'Backup' } });
    const action = { emailIds: ['one'], action: 'archive' };
    expect((await send('post', 'inbox/actions', secret, action)).body).toMatchObject({
      code: 'insufficient_scope',
    });
    await page.reload();
    await page.getByText(/Read only\. Ends on .*Last used just now/).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Revoke the token Backup' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.getByText('There are no access tokens').waitFor();
    expect((await send('get', 'me', secret)).statusCode).toBe(401);
    await page.getByText('Revoked the access token “Backup”').waitFor();
  });

  test('ask in the app before they clean up, and say so in the settings', async () => {
    await page.getByRole('button', { name: 'New token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Assistant');
    await dialog.getByLabel('What it may do').selectOption({ label: 'Read and clean up' });
    await dialog.getByRole('checkbox', { name: /^Ask me in Mailsweep/, checked: true }).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make token' }).click();
    const secret = await dialog.getByLabel('Access token').inputValue();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText(/Asks you before it changes anything/).waitFor();

    const request = {
      action: 'archive',
      selection: { type: 'filter', category: 'promotions', olderThan: 30 },
    };
    const { id } = (await send('post', 'cleanups', secret, request)).body as Cleanup;
    expect((await send('post', `cleanups/${id}/run`, secret, {})).statusCode).toBe(202);
    await page.goto('/');
    const card = page.getByRole('region', { name: 'Confirmation request' });
    await card.getByText(/“Assistant” asks: Archive \d+ emails\?/).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await card.getByRole('button', { name: 'Confirm' }).click();
    await card.waitFor({ state: 'detached' });
    const readState = async () => ((await send('get', `cleanups/${id}`, secret)).body as Cleanup).state;
    await expect.poll(readState).toBe('completed');
  });

  test('are taken by the documentation of the API, in place of the cookie', async () => {
    const created = await page.evaluate(async (url) => {
      const response = await fetch(url, {
        method: 'POST',
        credentials: 'include',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Documentation', scope: 'read' }),
      });
      return (await response.json()) as { secret: string };
    }, `${web.stack.api}/api/v1/me/tokens`);
    await page.goto(`${web.stack.api}/docs#/Account/getMe`);
    await page.locator('.btn.authorize').first().click();
    const scheme = page.locator('.auth-container').filter({ hasText: 'personalToken' });
    await scheme.locator('input').fill(created.secret);
    await scheme.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.close-modal').click();
    const operation = page.locator('#operations-Account-getMe');
    await operation.getByRole('button', { name: 'Execute' }).click();

    await expect
      .poll(() => operation.locator('.live-responses-table').textContent())
      .toContain('"name": "Documentation"');
  });
});

const send = (method: 'get' | 'post', path: string, secret: string, body?: object) =>
  got<object>(`${web.stack.api}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}` },
    responseType: 'json',
    throwHttpErrors: false,
    ...(body && { json: body }),
  });

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
  await web.openAs(page, '/settings', USER);
});
