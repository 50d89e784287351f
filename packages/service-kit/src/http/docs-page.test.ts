import express from 'express';
import supertest from 'supertest';
import { describe, expect, test } from 'vitest';
import { createDocsRouter } from './docs-page.ts';

const document = { openapi: '3.1.1', info: { title: 'Test API', version: '1' }, paths: {} };
const app = express().use('/base', createDocsRouter({ title: 'Test API', createDocument: () => document }));

/** Addresses that a page names: of scripts, styles, images. */
const linksOf = (html: string) => [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link = '']) => link);

describe('the documentation page', () => {
  test('loads nothing from anywhere else: all its files are served beside it', async () => {
    const page = await supertest(app).get('/base/docs').expect(200);
    const links = linksOf(page.text);

    expect(links).toHaveLength(4);
    for (const link of links) {
      const { pathname, host } = new URL(link, 'http://localhost/base/docs');
      expect(host).toBe('localhost');
      const file = await supertest(app).get(pathname).expect(200);
      expect(file.headers['content-type']).toMatch(TYPES[pathname.slice(pathname.lastIndexOf('.'))] ?? /^$/);
    }
  });

  test('forbids the browser to load anything from anywhere else', async () => {
    const page = await supertest(app).get('/base/docs').expect(200);
    const policy = page.headers['content-security-policy'] ?? '';

    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
  });

  test('starts by itself, on the document beside it, and asks no validator elsewhere', async () => {
    const script = await supertest(app).get('/base/docs/start.js').expect(200);

    expect(script.text).toContain("url: 'openapi.json'");
    expect(script.text).toContain('validatorUrl: null');
    expect(script.text).not.toMatch(/https?:/);
  });

  test('finds its files under an address with a slash at the end, too', async () => {
    const redirect = await supertest(app).get('/base/docs/');

    expect(redirect.status).toBe(301);
    expect(new URL(redirect.headers.location ?? '', 'http://localhost/base/docs/').pathname).toBe(
      '/base/docs',
    );
  });
});

describe('the document', () => {
  test('is served as it is', async () => {
    const response = await supertest(app).get('/base/openapi.json').expect(200);

    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.body).toEqual(document);
  });
});

const TYPES: Record<string, RegExp> = {
  '.css': /^text\/css/,
  '.js': /^text\/javascript/,
  '.png': /^image\/png/,
};
