// @vitest-environment node
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import request from 'supertest';
import { expect, it, onTestFinished } from 'vitest';
import { emptyButAssets, retireAssets } from '../scripts/keep-old-assets.ts';
import { createWebApp } from './app.ts';
import { MANIFEST } from './screen-links.ts';

const DAY_MS = 24 * 60 * 60_000;

it('serves the assets of an earlier build for a week after they left the build, and only its own page', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mailsweep-web-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const startMs = Date.now();
  /** Builds a version with one script, on a given day. */
  const build = (version: string, day: number) => {
    emptyButAssets(directory);
    mkdirSync(join(directory, 'assets'), { recursive: true });
    for (const page of ['index.html', 'sign-in.html']) writeFileSync(join(directory, page), version);
    mkdirSync(join(directory, '.vite'));
    writeFileSync(join(directory, MANIFEST), '{}');
    writeFileSync(join(directory, `only-in-${version}.txt`), version);
    for (const ending of ['', '.br', '.gz'])
      writeFileSync(join(directory, `assets/app-${version}.js${ending}`), version);
    retireAssets(directory, new Set([`app-${version}.js`]), startMs + day * DAY_MS);
  };
  const get = (path: string) =>
    request(createWebApp({ directory, apiOrigin: 'https://api.example.org' }))
      .get(path)
      .set('accept-encoding', 'identity');
  const statusOf = async (path: string) => (await get(path)).status;

  // The first version is in service for a month.
  build('one', 0);
  build('two', 30);
  build('two', 36);
  expect(await statusOf('/assets/app-one.js')).toBe(200);
  expect(await statusOf('/assets/app-two.js')).toBe(200);
  for (const path of ['/', '/index.html', '/only-in-one.txt', '/.old-assets.json'])
    expect((await get(path).expect(200)).text).toBe('two');

  build('three', 37);
  expect(await statusOf('/assets/app-one.js')).toBe(404);
  expect(await statusOf('/assets/app-two.js')).toBe(200);

  // A returning asset is current again.
  build('two', 43);
  build('three', 44);
  build('three', 50);
  expect(await statusOf('/assets/app-two.js')).toBe(200);
  expect(await statusOf('/assets/app-three.js')).toBe(200);
});
