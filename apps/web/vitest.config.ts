import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'web',
    environment: 'happy-dom',
    // One environment for each worker, not for each file: a third of the work.
    pool: 'vmThreads',
    include: ['{src,server}/**/*.test.{ts,tsx}'],
    restoreMocks: true,
  },
});
