import { useLingui } from '@lingui/react';
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { activateChosenLanguage } from './activate-language.ts';
import { LanguageProvider } from './language-provider.tsx';

it('draws nothing again for a language that is active', async () => {
  await activateChosenLanguage();
  let drawn = 0;
  const Words = () => {
    useLingui();
    drawn += 1;
    return null;
  };
  render(
    <LanguageProvider>
      <Words />
    </LanguageProvider>,
  );
  expect(drawn).toBe(1);
});
