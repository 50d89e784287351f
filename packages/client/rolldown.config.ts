import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineConfig, type Plugin } from 'rolldown';

const ROUTE_TABLE = join(import.meta.dirname, 'src/route-table.ts');

/** Puts the values of the route table into the bundle in place of the schemas and the library that they come from. */
const evaluateRouteTable: Plugin = {
  name: 'evaluate-route-table',
  async load(id) {
    if (id !== ROUTE_TABLE) return null;
    const { ROUTES } = (await import(pathToFileURL(id).href)) as { ROUTES: unknown };
    return { code: `export const ROUTES = ${JSON.stringify(ROUTES)};`, moduleType: 'js' };
  },
};

/** Leaves a file alone that would be the same: tests of the web app may be reading it. */
const keepWhatIsSame: Plugin = {
  name: 'keep-what-is-same',
  generateBundle({ dir = '' }, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      const path = join(dir, name);
      const isSame = file.type === 'chunk' && existsSync(path) && readFileSync(path, 'utf8') === file.code;
      if (isSame) delete bundle[name];
    }
  },
};

export default defineConfig({
  input: 'src/index.ts',
  platform: 'neutral',
  plugins: [evaluateRouteTable, keepWhatIsSame],
  output: { dir: 'dist', format: 'esm' },
});
