import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import got from 'got';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { findAccessibilityFaults } from './accessibility.ts';
import { hasChromium, signInAtProvider, skipReason } from './browser.ts';
import { useFreshVisit, useWebStack } from './web-stack.ts';

const USER = ownUser('grace');

describe.skipIf(!hasChromium)(`a program that asks for a token in a browser${skipReason}`, () => {
  test('has its user sign in, is allowed, gets a token, and is listed with it', async () => {
    const program = await startProgram();
    await page.goto(program.address);
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await signInAtProvider(page, USER, page.getByText('A program on this computer'));
    expect(await findAccessibilityFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('The program is here').waitFor();

    const token = await program.exchange();
    const me = await got(`${web.stack.api}/api/v1/me`, {
      headers: { authorization: `Bearer ${token}` },
    }).json();
    expect(me).toMatchObject({ email: USER, token: { scope: 'act' } });
    await page.goto(`${web.stack.web}/settings`);
    await page.getByText(/Allowed for the command line\. Read and clean up\./).waitFor();
  });

  test('is shown no page that another site could put into its own', async () => {
    const program = await startProgram();
    await page.goto(program.address);
    await page.getByRole('link', { name: 'Continue with Google' }).waitFor();
    const { headers } = await got(`${web.stack.web}/authorize?request=x`);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  test('that cannot be identified leads to a page that says so', async () => {
    const address = new URL((await startProgram()).address);
    address.searchParams.set('client_id', 'https://nobody.invalid/client.json');
    await page.goto(address.href);
    await page.getByRole('heading', { name: 'This program cannot be identified' }).waitFor();
    expect(await findAccessibilityFaults(page)).toEqual([]);
  });
});

/** A program on this computer that waits for the browser. */
const startProgram = async () => {
  const codes: string[] = [];
  const server = createServer((request, response) => {
    codes.push(new URL(request.url ?? '', 'http://program').searchParams.get('code') ?? '');
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<link rel="icon" href="data:,">The program is here');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const verifier = randomBytes(32).toString('base64url');
  const client = {
    client_id: 'mailsweep-cli',
    redirect_uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`,
  };
  const query = new URLSearchParams({
    ...client,
    response_type: 'code',
    state: 'state',
    scope: 'act',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return {
    address: `${web.stack.api}/oauth/authorize?${query}`,
    async exchange(): Promise<string> {
      const form = { ...client, grant_type: 'authorization_code', code: codes[0], code_verifier: verifier };
      const { access_token } = await got
        .post(`${web.stack.api}/oauth/token`, { form })
        .json<{ access_token: string }>();
      return access_token;
    },
  };
};

const web = useWebStack();
let page: Page;
useFreshVisit(web, async (fresh) => {
  page = fresh;
});
