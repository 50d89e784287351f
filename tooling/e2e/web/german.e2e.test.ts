import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ownUser } from '../src/shared-stack.ts';
import { hasChromium, skipReason } from './browser.ts';
import { useWebStack } from './web-stack.ts';

/** What German and English write alike: names, sizes without a fraction such as "400 kB", labels of the mailbox. */
const ALIKE =
  /^(?:Mailsweep.*|Gmail|Google|System|English|Deutsch|Chrome.*|Labels?|Filter|Name|Status|\d+\s[kMG]B|[^a-z]*)$/i;

/** The screens, and what each shows once all of it is there. */
const SCREENS = [
  { place: '/', sign: 'section[aria-labelledby=numbers-title] li' },
  { place: '/inbox', sign: '[data-row-id]' },
  { place: '/suggestions', sign: '#main h1' },
  { place: '/senders', sign: '[data-row-id]' },
  { place: '/history', sign: '#main h2' },
  { place: '/activity', sign: '#main h2' },
  { place: '/settings', sign: '[role=switch]' },
];

describe.skipIf(!hasChromium)(`in a German browser${skipReason}`, () => {
  test('no screen has a text that is the same in English', async () => {
    const english = await web.open();
    await web.openAs(english.page, '/settings', ownUser('ada'));
    const storageState = await english.page.context().storageState();
    const german = await web.open({ locale: 'de-DE', storageState });
    const left: string[] = [];
    for (const screen of SCREENS) {
      const same = new Set(await readTexts(english.page, screen));
      const texts = await readTexts(german.page, screen);
      expect(texts.length).toBeGreaterThan(10);
      left.push(...texts.filter((text) => same.has(text) && !ALIKE.test(text)));
    }
    expect(await german.page.getAttribute('html', 'lang')).toBe('de');
    expect(await readManifestWords(german.page)).toEqual(['de', 'Vorschläge', 'Posteingang']);
    expect(await readManifestWords(english.page)).toEqual(['en', 'Suggestions', 'Inbox']);
    expect(left).toEqual([]);
    expect(german.complaints).toEqual([]);
    await Promise.all([english.close(), german.close()]);
  });

  test('the sign-in is German, and English where that is chosen', async () => {
    const { page, complaints, close } = await web.open({ locale: 'de-DE' });
    await page.goto('/sign-in?error=access_denied');
    await page.getByRole('link', { name: 'Weiter mit Google' }).waitFor();
    await page.getByRole('alert').getByText('Du hast den Zugriff nicht erlaubt').waitFor();
    expect(await page.title()).toBe('Bei Mailsweep anmelden');
    await page.evaluate(`localStorage.setItem('mailsweep.preferences', '{"language":"en"}')`);
    await page.reload();
    await page.getByRole('link', { name: 'Continue with Google' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  test('the settings change the language at once', async () => {
    const { page, close } = await web.open();
    await web.openAs(page, '/settings', ownUser('ada'));
    await page.getByText('Deutsch').click();
    await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
    await page.getByText('English').click();
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    await close();
  });
});

/** The language of the installed app, and the names of its shortcuts. */
const readManifestWords = async (page: Page): Promise<string[]> => {
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const response = await page.request.get(new URL(href ?? '', page.url()).href);
  const { lang, shortcuts } = (await response.json()) as { lang: string; shortcuts: { name: string }[] };
  return [lang, ...shortcuts.map(({ name }) => name)];
};

/** What a screen shows and tells a screen reader, without what was written by others. */
const readTexts = async (page: Page, { place, sign }: { place: string; sign: string }): Promise<string[]> => {
  await page.goto(place);
  await page.locator(sign).first().waitFor();
  await page.waitForLoadState('networkidle');
  return page.evaluate(() => {
    const foreign =
      'noscript, bdi, time, kbd, script, style, [data-row-id], [class*=account], [class*=who], [class*=avatar]';
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      if (!walker.currentNode.parentElement?.closest(foreign))
        texts.push(walker.currentNode.textContent ?? '');
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]')) {
      if (element.closest(foreign)) continue;
      for (const name of ['aria-label', 'title', 'placeholder']) texts.push(element.getAttribute(name) ?? '');
    }
    return texts.map((text) => text.trim()).filter((text) => /\p{L}{2}/u.test(text));
  });
};

const web = useWebStack();
