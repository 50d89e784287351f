import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  external: ['@mailsweep/client', 'commander', 'jsonwebtoken', 'open', /^@modelcontextprotocol\//, 'zod'],
  output: { dir: 'dist', format: 'esm' },
});
