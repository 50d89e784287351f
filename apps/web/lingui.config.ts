import { defineConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';
import { createSwcExtractor } from '@lingui/native-tools';

const tests = ['**/*.test.*', '**/testing/**'];

/** English is in the source; only other languages have catalogs. */
export default defineConfig({
  // Tests run from the root of the repository.
  rootDir: import.meta.dirname,
  sourceLocale: 'en',
  locales: ['de'],
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}',
      include: ['<rootDir>/src'],
      exclude: [...tests, '**/src/sign-in/**'],
    },
    // The sign-in is a small page of its own.
    {
      path: '<rootDir>/src/sign-in/locales/{locale}',
      include: ['<rootDir>/src/sign-in'],
      exclude: tests,
    },
  ],
  // Without line numbers, which would change with every edit.
  format: formatter({ lineNumbers: false }),
  orderBy: 'origin',
  extractors: [createSwcExtractor()],
});
