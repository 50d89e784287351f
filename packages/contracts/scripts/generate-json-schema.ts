import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderAsyncApi } from './async-api-document.ts';
import { renderJsonSchemaFiles } from './json-schema-documents.ts';

const folder = join(import.meta.dirname, '../json-schema');

// A file whose schema is gone must go, too.
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
writeFileSync(join(folder, '../asyncapi.json'), renderAsyncApi());
for (const [name, text] of renderJsonSchemaFiles()) writeFileSync(join(folder, name), text);
