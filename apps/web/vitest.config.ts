import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    name: 'web',
    environment: 'happy-dom',
    include: ['{src,server}/**/*.test.{ts,tsx}'],
    restoreMocks: true,
  },
});
