import { i18n } from '@lingui/core';
import { act, render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { savePreferences } from '../device-preferences/preferences.ts';
import { countEmails } from '../email/counts.ts';
import { formatMegabytes } from '../email/sizes.ts';
import { describeFailures } from '../feedback/failure-reasons.ts';
import { NotFound } from '../shell/not-found.tsx';
import { describeConsequence } from '../suggestions/suggestion-words.tsx';
import { renderAtRoute } from '../testing/render-at-route.tsx';
import { formatAgo, formatDay } from '../time/format-time.tsx';
import { activateChosenLanguage } from './activate-language.ts';
import { chooseLanguage } from './choose-language.ts';
import { LanguageProvider, RemountOnLanguageChange } from './language-provider.tsx';

describe('the language', () => {
  it.each([
    [['de-AT', 'en'], 'system', { language: 'de', locale: 'de-AT' }],
    [['fr', 'en-GB', 'de'], 'system', { language: 'en', locale: 'en-GB' }],
    [['fr'], 'system', { language: 'en', locale: 'en' }],
    [[], 'system', { language: 'en', locale: 'en' }],
    [['de-AT', 'en-GB'], 'en', { language: 'en', locale: 'en-GB' }],
    [['en-US'], 'de', { language: 'de', locale: 'de' }],
    [['de'], 'klingon', { language: 'de', locale: 'de' }],
  ])('of a browser for %j is, with the choice %s, %j', (languages, language, expected) => {
    vi.stubGlobal('navigator', { languages });
    localStorage.setItem('mailsweep.preferences', JSON.stringify({ language }));
    expect(chooseLanguage()).toEqual(expected);
  });

  it('changes on the screen as soon as another is chosen', async () => {
    vi.stubGlobal('navigator', { languages: ['en-US'] });
    render(
      <LanguageProvider>
        <RemountOnLanguageChange>
          <Emails />
        </RemountOnLanguageChange>
      </LanguageProvider>,
    );
    screen.getByText('2 emails');
    act(() => savePreferences({ language: 'de' }));
    await screen.findByText('2 E-Mails');
    act(() => savePreferences({ language: 'en' }));
    await screen.findByText('2 emails');
  });
});

const Emails = () => <p>{countEmails(2)}</p>;

describe('German', () => {
  beforeEach(async () => {
    vi.stubGlobal('navigator', { languages: ['de-DE'] });
    await activateChosenLanguage();
  });

  it('is what the page says it speaks', () => {
    expect([i18n.locale, document.documentElement.lang]).toEqual(['de', 'de']);
  });

  it('has plural forms, and numbers as in the region', () => {
    expect([0, 1, 1204].map(countEmails)).toEqual(['0 E-Mails', '1 E-Mail', '1.204 E-Mails']);
    expect(describeConsequence('delete', 1)).toMatch(/^1 E-Mail kommt in den Papierkorb/);
    expect(describeConsequence('delete', 1204)).toMatch(/^1\.204 E-Mails kommen in den Papierkorb/);
    expect(formatMegabytes(1.26)).toBe('1,3 MB');
  });

  it('has dates', () => {
    const now = new Date(2026, 5, 10, 15, 30);
    expect(formatAgo(new Date(2026, 5, 10, 15, 29, 40), now)).toBe('gerade eben');
    expect(formatDay(new Date(2026, 5, 9, 12), now)).toBe('Gestern');
    expect(formatDay(new Date(2026, 1, 3), now)).toBe('Dienstag, 3. Februar');
  });

  it('has words for the codes of the API', () => {
    expect(describeFailures([{ status: 'error', reason: 'not_found' }])).toBe('1 nicht mehr im Postfach');
  });

  it('is on the screens', async () => {
    renderAtRoute(NotFound, () => ({}));
    expect(await screen.findByText('Unter dieser Adresse gibt es nichts')).toBeTruthy();
  });
});
