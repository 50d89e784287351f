import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  external: ['jsonwebtoken'],
  output: { dir: 'dist', format: 'esm' },
});
