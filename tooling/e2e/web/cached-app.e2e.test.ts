import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

const USER = ownUser('ada');
const CADDYFILE = fileURLToPath(new URL('../../../deploy/Caddyfile', import.meta.url));
const SERVICE_WORKER = fileURLToPath(new URL('../../../apps/web/dist/service-worker.js', import.meta.url));

describe.skipIf(!hasChromium)(`the app, cached by a browser${skipReason}`, () => {
  test('starts without a network, on any screen, and goes on with the network', async () => {
    const { page, close } = await openInstalled();
    await page.context().setOffline(true);
    await page.goto('/history');
    await page.getByRole('heading', { name: /connection|offline|reach/i }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor();
    await page.waitForFunction(() => performance.getEntriesByName('mailsweep-complete').length > 0);
    expect(await page.getByText('You are offline.').count()).toBe(0);
    await close();
  });

  test('is not what the browser gets without a network where one origin has something else', async () => {
    const { page, close } = await openInstalled();
    await page.context().setOffline(true);
    // Where the proxy of one origin asks the API, and where sign-ins return.
    const [, paths = ''] = /path (.+)/.exec(readFileSync(CADDYFILE, 'utf8')) ?? [];
    for (const path of [...paths.replaceAll('*', 'x').split(' '), '/auth/callback?error=x'])
      await expect(page.goto(path), path).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
    // The browser's own page of the last error may still be on its way.
    const open = () => page.goto('/authorize?request=x').then(() => page.locator('#root').count());
    await expect.poll(() => open().catch(() => 0)).toBe(1);
    await close();
  });

  test('announces a deploy, and a reload takes the new version', async () => {
    const { page, close } = await openInstalled();
    const built = readFileSync(SERVICE_WORKER, 'utf8');
    onTestFinished(() => writeFileSync(SERVICE_WORKER, built));
    appendFileSync(SERVICE_WORKER, '\n// Another build.\n');
    // The page of the other build starts with a script of another name.
    await page.route('**/index.html', async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll('/assets/', '/assets/new-');
      await route.fulfill({ response, body });
    });
    await page.evaluate(async () => await (await navigator.serviceWorker.ready).update());
    const announcement = page
      .getByRole('alert')
      .filter({ hasText: 'A new version of Mailsweep is available.' });
    await announcement.waitFor();
    await Promise.all([
      page.waitForEvent('load'),
      announcement.getByRole('button', { name: 'Reload' }).click(),
    ]);
    await page.getByRole('navigation', { name: 'Screens' }).waitFor();
    await close();
  });

  test('can be installed', async () => {
    const { page, close } = await openInstalled();
    const manifest = await page.evaluate(async () => {
      const link = document.querySelector<HTMLLinkElement>('link[rel=manifest]');
      return await (await fetch(link?.href ?? '')).json();
    });
    expect(manifest).toMatchObject({ name: 'Mailsweep', display: 'standalone', start_url: '/' });
    for (const { src, sizes } of manifest.icons) {
      const size = await page.evaluate(async (url) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        return `${image.naturalWidth}x${image.naturalHeight}`;
      }, src);
      if (sizes !== 'any') expect(size).toBe(sizes);
    }
    await close();
  });
});

/** Signs in and waits until the service worker has every file and serves the page. */
const openInstalled = async (): Promise<{ page: Page; close: () => Promise<void> }> => {
  const { page, close } = await web.open({ serviceWorkers: 'allow' });
  await web.openAs(page, '/inbox', USER);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  // The page that installs a service worker is not served by it yet.
  await page.reload();
  await page.getByRole('navigation', { name: 'Screens' }).waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('mailsweep-complete').length > 0);
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  return { page, close };
};

const web = useWebStack();
