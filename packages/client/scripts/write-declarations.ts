import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isolatedDeclarationSync } from 'rolldown/experimental';
import { declareOperations } from './declare-operations.ts';

/** Writes the declarations of the package to `dist/`: those of `index.ts` and of what it imports. */

const SOURCES = join(import.meta.dirname, '../src');
const DIST = join(import.meta.dirname, '../dist');

const declareModule = (file: string): string => {
  const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, 'utf8'));
  if (errors.length > 0) throw new Error(errors.map(({ message }) => `${file}: ${message}`).join('\n'));
  return code.replace(/(from "\.\/[\w-]+)\.ts"/g, '$1.js"');
};

const written = new Set<string>();
const write = (module: string): void => {
  if (written.has(module)) return;
  written.add(module);
  const file = join(SOURCES, `${module}.ts`);
  const text = module === 'operations' ? declareOperations(file) : declareModule(file);
  writeFileSync(join(DIST, `${module}.d.ts`), text);
  for (const [, imported = ''] of text.matchAll(/from "\.\/([\w-]+)\.js"/g)) write(imported);
};

for (const old of globSync(`${DIST}/*.d.ts`)) rmSync(old);
write('index');
