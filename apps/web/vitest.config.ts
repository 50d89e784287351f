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
    include: ['{src,server}/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/speak-english.ts', 'src/testing/patient-queries.ts'],
    restoreMocks: true,
    // Like tests of real processes; the summary names those that passed only then.
    retry: 1,
  },
});
