import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

const tests = ['**/*.test.*', '**/testing/**'];

/** English is the source itself, so only other languages have catalogs. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['de'],
  catalogs: [
    { path: 'src/locales/{locale}', include: ['src'], exclude: [...tests, 'src/sign-in/**'] },
    // The sign-in is a small page of its own.
    { path: 'src/sign-in/locales/{locale}', include: ['src/sign-in'], exclude: tests },
  ],
  // Without line numbers, which would change with every edit.
  format: formatter({ lineNumbers: false }),
  orderBy: 'origin',
  extractors: [createSwcExtractor()],
});
