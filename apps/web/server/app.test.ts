// @vitest-environment node
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Express } from 'express';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createWebApp } from './app.ts';
import { parseWebServerConfig } from './config.ts';
import { MANIFEST } from './screen-links.ts';

describe('the web server', () => {
  it('serves every address of the app with the page, fresh each time', async () => {
    const reply = await request(app).get('/inbox?unread=true').expect(200);
    expect(reply.text).toContain('<div id="root">');
    expect(reply.headers['cache-control']).toBe('no-cache');
  });

  it('has the browser load the screen at an address at once, and no other', async () => {
    const linksOf = async (path: string) => (await request(app).get(path)).headers.link;
    const ofInbox = await linksOf('/inbox?unread=true');
    for (const link of [
      '</assets/inbox.js>; rel=modulepreload',
      '</assets/inbox.css>; rel=preload; as=style',
      '</assets/shared.js>; rel=modulepreload',
      '<https://api.example.org/api/v1/me>; rel=preload; as=fetch',
    ])
      expect(ofInbox).toContain(link);
    // The page itself names those of the app.
    expect(ofInbox).not.toMatch(/app\.|home\./);
    // With filters, the app requests something else.
    expect(ofInbox).not.toContain('/api/v1/emails');
    expect(await linksOf('/inbox')).toMatch(/\/api\/v1\/emails\?pageSize=30>; rel=preload; as=fetch/);
    expect(await linksOf('/')).toMatch(/home\.js.*\/api\/v1\/activity>; rel=preload; as=fetch/);
    for (const path of ['/nothing-here', '/sign-in']) expect(await linksOf(path)).not.toContain('preload');
  });

  it('serves the sign-in with a page of its own, which leads to the API', async () => {
    const reply = await request(app).get('/sign-in?reason=expired').expect(200);
    expect(reply.text).toBe('<a href="https://api.example.org/auth/idp">Sign in</a>');
    expect(reply.headers['content-security-policy']).toContain("script-src 'self';");
  });

  it('allows no script but its own files, and only the API as another origin', async () => {
    const policy = (await request(app).get('/')).headers['content-security-policy'];
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'self';/);
    expect(policy).toContain("connect-src 'self' https://api.example.org");
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it.each(['/index.html', '/sign-in.html'])('serves %s as it does the page itself', async (file) => {
    const response = await request(app).get(file).expect(200);
    expect(response.headers['content-security-policy']).toContain("script-src 'self';");
    expect(response.text).toContain('https://api.example.org');
    expect(response.headers['cache-control']).toBe('no-cache');
  });

  it.each(['/%69ndex.html', '//index.html', '/sign%2din.html', '/health', '/%'])(
    'gives %s the policy, too',
    async (path) => {
      const { headers } = await request(app).get(path);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
    },
  );

  it.each(['development', 'production', 'test'])(
    'refuses a malformed path with a plain 400 when NODE_ENV is %s',
    async (environment) => {
      vi.stubEnv('NODE_ENV', environment);
      onTestFinished(() => void vi.unstubAllEnvs());
      const configured = createWebApp({ directory, apiOrigin: 'https://api.example.org' });
      for (const path of ['/%', '/inbox/%E0%A4%A']) {
        const { status, text, headers } = await request(configured).get(path);
        expect({ path, status, text }).toEqual({ path, status: 400, text: 'Bad request' });
        expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      }
    },
  );

  it('gives each response a nonce of its own, the same in the page and in the policy', async () => {
    const [first, second] = await Promise.all([request(app).get('/'), request(app).get('/')]);
    const nonce = /nonce="([^"]+)"/.exec(first.text)?.[1];
    expect(nonce).toBeTruthy();
    expect(first.headers['content-security-policy']).toContain(`'nonce-${nonce}'`);
    expect(second.text).not.toContain(nonce);
  });

  it('tells the browser where the API is', async () => {
    const reply = await request(app).get('/').expect(200);
    expect(reply.text).toContain('<meta name="api-origin" content="https://api.example.org" />');
  });

  it.each(['/m/2/inbox', '/m/2/inbox?unread=true'])(
    'preloads the files of a screen, but no data of another mailbox: %s',
    async (address) => {
      const { headers } = await request(app).get(address).expect(200);
      expect(headers.link).toContain('assets/inbox.js');
      expect(headers.link).not.toContain('/api/v1/');
    },
  );

  it('sends an asset compressed, typed and cached for good', async () => {
    const reply = await request(app).get('/assets/app-abc.js').set('accept-encoding', 'gzip, br').expect(200);
    expect(reply.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect(reply.headers.vary).toMatch(/accept-encoding/i);
  });

  it('sends it plain to a browser that takes no compression', async () => {
    const reply = await request(app).get('/assets/app-abc.js').set('accept-encoding', 'identity').expect(200);
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(reply.text).toBe(SCRIPT);
  });

  it('sends the service worker fresh each time', async () => {
    const response = await request(app).get('/service-worker.js').expect(200);
    expect(response.headers['cache-control']).toBe('no-cache');
    expect(response.headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('does not serve a missing asset as the page', async () => {
    await request(app).get('/assets/old-def.js').expect(404);
  });

  it('says that it is alive', async () => {
    await request(app).get('/health').expect(200, { status: 'ok' });
  });

  it('keeps other sites from guessing at its content', async () => {
    const { headers } = await request(app).get('/');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(headers).not.toHaveProperty('x-powered-by');
  });
});

describe('its configuration', () => {
  it('names every faulty variable and prints no value', () => {
    const start = () =>
      parseWebServerConfig({ PORT: 'eighty', API_ORIGIN: 'https://api.example.org/secret' });
    expect(start).toThrow(/PORT[\s\S]*API_ORIGIN/);
    expect(start).not.toThrow(/secret/);
  });
});

const SCRIPT = 'console.log("hello");'.repeat(20);
const PAGE =
  '<html><head><meta name="api-origin" content="__API_ORIGIN__" /><meta property="csp-nonce" nonce="__CSP_NONCE__"></head><div id="root"></div></html>';
/** Two screens and what they share, as the build's manifest has them. */
const BUILT = {
  'index.html': { file: 'assets/app.js', css: ['assets/app.css'] },
  '_shared.js': { file: 'assets/shared.js', imports: ['index.html'] },
  'home.tsx': { file: 'assets/home.js', name: 'home-screen', imports: ['_shared.js'] },
  'inbox.tsx': {
    file: 'assets/inbox.js',
    name: 'inbox-screen',
    imports: ['_shared.js', 'index.html'],
    css: ['assets/inbox.css'],
  },
};

let app: Express;
let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'mailsweep-web-'));
  mkdirSync(join(directory, 'assets'));
  writeFileSync(join(directory, 'index.html'), PAGE);
  writeFileSync(join(directory, 'sign-in.html'), '<a href="__API_ORIGIN__/auth/idp">Sign in</a>');
  mkdirSync(join(directory, '.vite'));
  writeFileSync(join(directory, MANIFEST), JSON.stringify(BUILT));
  writeFileSync(join(directory, 'assets/app-abc.js'), SCRIPT);
  writeFileSync(join(directory, 'service-worker.js'), SCRIPT);
  writeFileSync(join(directory, 'assets/app-abc.js.br'), brotliCompressSync(SCRIPT));
  app = createWebApp({ directory, apiOrigin: 'https://api.example.org' });
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));
