import { cpSync } from 'node:fs';
import { defineConfig } from 'rolldown';
import { isExternal, linkPackages } from '../../tooling/checks/link-packages.ts';

export default defineConfig({
  input: ['src/main.ts', 'src/reencrypt.ts', 'src/erase.ts', 'src/training-data.ts', 'src/doctor.ts'],
  platform: 'node',
  plugins: [
    linkPackages,
    {
      name: 'migrations',
      // The doctor compares them with those of the database.
      writeBundle: () => cpSync('../../prisma/migrations', 'dist/migrations', { recursive: true }),
    },
  ],
  external: (id) => isExternal(id),
  output: { dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true },
});
