import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { signInAtApi } from '@mailsweep/google-sandbox/testing/api-sign-in';
import { findFreePort, readInherited } from '@mailsweep/service-kit/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createServiceProcess, type ServiceProcess } from '../faults/harness/service-process.ts';
import { type LocalStack, startLocalStack } from '../src/local-stack.ts';
import { hasChromium, launchBrowser, openVisit, signInAt } from './browser.ts';
import { ensureWebAppIsBuilt } from './built-web-app.ts';

const USER = 'ada@example.com';
const hasCaddy = spawnSync('caddy', ['version']).error === undefined;
const skipReason = hasCaddy ? '' : ' (skipped: caddy is missing; apt-get install caddy)';

describe.skipIf(!hasCaddy)(`deploy/Caddyfile, in front of the real processes${skipReason}`, () => {
  test('serves the web app and the API under one name, over TLS', async () => {
    const page = await fetch(`${origin}/inbox`);
    expect(page.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(await page.text()).toContain(`<meta name="api-origin" content="${origin}"`);
    for (const path of [
      '/api/v1/health/db',
      '/openapi.json',
      '/docs',
      '/.well-known/oauth-authorization-server',
    ])
      expect({ path, status: (await fetch(origin + path)).status }).toEqual({ path, status: 200 });
    const metadata = await fetch(`${origin}/.well-known/oauth-protected-resource/mcp`);
    expect(await metadata.json()).toMatchObject({ resource: `${origin}/mcp` });
    // Operators' routes are on a port of their own.
    expect(await (await fetch(`${origin}/metrics`)).text()).toContain('<div id="root">');
  });

  test('leads plain http to https', async () => {
    const { status, headers } = await fetch(`http://localhost:${httpPort}/inbox`, { redirect: 'manual' });
    expect(status).toBe(308);
    expect(headers.get('location')).toMatch(/^https:\/\/localhost/);
  });

  test('signs in with a secure cookie, and lists emails', async () => {
    const { cookie, landedAt } = await signInAtApi(origin, USER);
    expect(landedAt).toBe(`${origin}/auth/callback`);
    expect(await (await fetch(landedAt)).text()).toContain('<div id="root">');
    const emails = await fetch(`${origin}/api/v1/emails`, { headers: { cookie } });
    expect((await emails.json()).emails.length).toBeGreaterThan(0);
  });

  test('keeps out what other sites send, bodies that are too large, and made-up client addresses', async () => {
    const { cookie } = await signInAtApi(origin, USER);
    const act = (headers: Record<string, string>, body: string) =>
      fetch(`${origin}/api/v1/inbox/actions`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', ...headers },
        body,
      });
    const none = JSON.stringify({ emailIds: ['none'], action: 'archive' });
    expect((await act({ origin }, none)).status).toBe(200);
    expect((await act({ origin: 'https://other.example' }, none)).status).toBe(403);
    expect((await act({ origin }, `"${'x'.repeat(300_000)}"`)).status).toBe(413);
    expect((await act({ origin }, `"${'x'.repeat(1_100_000)}"`)).status).toBe(413);
    await signInAtApi(origin, USER);
    const trail = await fetch(`${origin}/api/v1/me/audit`, {
      headers: { cookie, 'x-forwarded-for': '203.0.113.7' },
    });
    expect(JSON.stringify(await trail.json())).toMatch(/"(127\.0\.0\.1|::\/64)"/);
  });

  test('lets assistants call /mcp', async () => {
    const { cookie } = await signInAtApi(origin, USER);
    const made = await fetch(`${origin}/api/v1/me/tokens`, {
      method: 'POST',
      headers: { cookie, origin, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Assistant', scope: 'read' }),
    });
    const { secret } = await made.json();
    const assistant = new Client({ name: 'e2e', version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${secret}` } };
    await assistant.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit }));
    onTestFinished(() => assistant.close());
    expect((await assistant.callTool({ name: 'overview', arguments: {} })).isError).toBeFalsy();
  });

  test.skipIf(!hasChromium)('is used with a browser: no complaint of its policy, and a session', async () => {
    const browser: Browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const visit = await openVisit(browser, origin, { ignoreHTTPSErrors: true });
    await signInAt(visit.page, '/inbox', USER);
    await visit.page.locator('[role=row]').first().waitFor();
    expect(new URL(visit.page.url()).pathname).toBe('/inbox');
    expect(visit.complaints).toEqual([]);
  });

  test('holds requests while a process is replaced, and names no query in its log', async () => {
    await web.stop();
    const held = fetch(`${origin}/sign-in?code=a-secret`);
    await web.start();
    expect((await held).status).toBe(200);
    expect(caddyLog.join('')).not.toContain('a-secret');
  });

  let stack: LocalStack;
  let web: ServiceProcess;
  let origin: string;
  let httpPort: number;
  let folder: string;
  let stopCaddy: () => Promise<unknown>;
  const caddyLog: string[] = [];
  beforeAll(async () => {
    ensureWebAppIsBuilt();
    folder = mkdtempSync(join(tmpdir(), 'mailsweep-caddy-'));
    const [port, apiPort, webPort] = [await findFreePort(), await findFreePort(), await findFreePort()];
    httpPort = await findFreePort();
    origin = `https://localhost:${port}`;
    web = createServiceProcess({
      name: 'web',
      main: 'apps/web/server/main.ts',
      port: webPort,
      operationsPort: webPort,
      livenessPath: '/health',
      env: { PORT: String(webPort), API_ORIGIN: origin },
    });
    const caddy = spawn('caddy', ['run', '--config', 'deploy/Caddyfile', '--adapter', 'caddyfile'], {
      env: {
        ...readInherited(),
        PATH: '/usr/bin:/bin',
        PUBLIC_ORIGIN: origin,
        API: `127.0.0.1:${apiPort}`,
        WEB: `127.0.0.1:${webPort}`,
        HTTP_PORT: String(httpPort),
        HEALTH_PORT: String(await findFreePort()),
        XDG_DATA_HOME: folder,
        XDG_CONFIG_HOME: folder,
      },
    });
    for (const stream of [caddy.stdout, caddy.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => caddyLog.push(text));
    }
    const ended = once(caddy, 'exit');
    stopCaddy = () => {
      caddy.kill();
      return ended;
    };
    // A stack of its own: it is reached through a proxy.
    [stack] = await Promise.all([
      startLocalStack({
        PORT: String(apiPort),
        FRONTEND_ORIGIN: origin,
        OAUTH_REDIRECT_URI: `${origin}/auth/idp/callback`,
        TRUST_PROXY_HOPS: '1',
      }),
      web.start(),
    ]);
    // For names such as localhost, Caddy is its own authority.
    const authority = join(folder, 'caddy/pki/authorities/local/root.crt');
    await vi.waitFor(() => readFileSync(authority), 10_000);
    setDefaultCACertificates([readFileSync(authority, 'utf8')]);
  });
  afterAll(async () => {
    await stopCaddy?.();
    await web?.kill();
    await stack?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
});
