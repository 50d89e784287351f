import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';

// The tools that read this run elsewhere.
const configPath = fileURLToPath(new URL('lingui.config.ts', import.meta.url));

export default defineConfig({
  plugins: [lingui({ configPath, macroTransform: true })],
  test: {
    name: 'web',
    environment: 'happy-dom',
    environmentOptions: {
      // Links and downloads of a test must not leave the page, which all files share.
      happyDOM: {
        settings: { navigation: { disableMainFrameNavigation: true, disableFallbackToSetURL: true } },
      },
    },
    include: ['{src,server}/**/*.test.{ts,tsx}'],
    setupFiles: [
      'src/testing/speak-english.ts',
      'src/testing/patient-queries.ts',
      'src/testing/reset-page.ts',
    ],
    maxWorkers: 3,
    // Files share imports, which are most of the work, and one page, which `reset-page.ts` empties after each test.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    // As for tests of real processes; the summary names tests that passed only then.
    retry: 1,
  },
});
