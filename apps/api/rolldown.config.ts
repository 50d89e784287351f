import { cpSync } from 'node:fs';
import { defineConfig } from 'rolldown';

/** The workspace's own packages are TypeScript sources and go into the bundle; packages of the registry stay outside. */
const isExternal = (id: string): boolean => /^[\w@]/.test(id) && !id.startsWith('@mailsweep/');

export default defineConfig({
  input: ['src/main.ts', 'src/reencrypt.ts', 'src/erase.ts', 'src/training-data.ts', 'src/doctor.ts'],
  platform: 'node',
  plugins: [
    {
      name: 'migrations',
      // The doctor compares them with those of the database.
      writeBundle: () => cpSync('../../prisma/migrations', 'dist/migrations', { recursive: true }),
    },
  ],
  external: (id) => isExternal(id),
  output: { dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true },
});
