import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { toSignInNotice } from './sign-in-notices.ts';
import { SIGN_IN_TEXTS, translatePage } from './translate-page.ts';

const readPage = () =>
  new DOMParser().parseFromString(
    readFileSync(join(import.meta.dirname, '../../sign-in.html'), 'utf8').replace(/<link[^>]*>/g, ''),
    'text/html',
  ).documentElement;
const readTexts = (page: ParentNode) =>
  Object.fromEntries(
    [...page.querySelectorAll<HTMLElement>('[data-text]')].map((element) => [
      element.dataset.text,
      element.textContent,
    ]),
  );

it('the texts to be translated are those of the page', () => {
  const texts = Object.entries(SIGN_IN_TEXTS).map(([name, text]) => [name, i18n._(text)]);
  expect(readTexts(readPage())).toEqual(Object.fromEntries(texts));
});

it('the page and its notice become German', () => {
  document.body.replaceChildren(...readPage().querySelectorAll('main'));
  translatePage('de', 'de-DE');
  expect(readTexts(document.body)).toMatchObject({
    continue: 'Weiter mit Google',
    undo: 'Jede Aktion lässt sich rückgängig machen',
  });
  expect(document.documentElement.lang).toBe('de');
  expect(toSignInNotice('?reason=expired')?.words).toMatch(/^Deine Sitzung ist zu Ende/);
});
