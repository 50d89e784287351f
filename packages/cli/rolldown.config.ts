import { cpSync } from 'node:fs';
import { defineConfig } from 'rolldown';

/** The labelled set is read from files beside the bundle. */
const copyEmails = {
  name: 'copy-emails',
  writeBundle: () => cpSync('../ml-evaluation/src/labelled-set/emails', 'dist/emails', { recursive: true }),
};

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  plugins: [copyEmails],
  external: ['@mailsweep/client', 'commander', 'jsonwebtoken', 'open', /^@modelcontextprotocol\//, 'zod'],
  output: { dir: 'dist', format: 'esm' },
});
