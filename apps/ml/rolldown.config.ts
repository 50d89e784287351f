import { defineConfig } from 'rolldown';
import { isExternal, linkPackages } from '../../tooling/checks/link-packages.ts';

export default defineConfig({
  input: 'src/main.ts',
  platform: 'node',
  plugins: [linkPackages],
  external: (id) => isExternal(id),
  output: { dir: 'dist', format: 'esm', sourcemap: true, cleanDir: true },
});
