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

export default defineConfig({
  input: 'src/index.ts',
  platform: 'neutral',
  plugins: [evaluateRouteTable],
  output: { dir: 'dist', format: 'esm' },
});
