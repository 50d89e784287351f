import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import { defineConfig } from 'vitest/config';
import { taskReporters } from '../../vitest.reporters.ts';

// The tools that read this run elsewhere.
const configPath = fileURLToPath(new URL('lingui.config.ts', import.meta.url));

export default defineConfig({
  plugins: [lingui({ configPath, macroTransform: true })],
  test: {
    ...taskReporters,
    name: 'web',
    environment: 'happy-dom',
    environmentOptions: {
      // Links and downloads that a test follows must not leave the page, which all files share.
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
    // Files share what they import, which is most of the work, and one page: `reset-page.ts` empties it after each test.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    // Like tests of real processes; the summary names those that passed only then.
    retry: 1,
  },
});
