import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { createSchemaComparison, type Schema, type Schemas } from '../compatibility/index.ts';
import { directionOf, renderJsonSchemaFiles } from './json-schema-documents.ts';

/** The JSON Schemas of a version of the package, by file name without its ending. */
export interface SchemaRelease {
  version: string;
  schemas: Schemas;
}

const RELEASED = new URL('../released.json', import.meta.url);
const MANIFEST = new URL('../package.json', import.meta.url);
const CHANGESETS = new URL('../../../.changeset/', import.meta.url);

const read = (url: URL): string => readFileSync(url, 'utf8');

export const readReleasedSchemas = (): SchemaRelease => JSON.parse(read(RELEASED));

export const readPresentSchemas = (): SchemaRelease => ({
  version: JSON.parse(read(MANIFEST)).version,
  schemas: Object.fromEntries(
    [...renderJsonSchemaFiles()].map(([file, text]) => [file.replace('.json', ''), JSON.parse(text)]),
  ),
});

export const writeReleasedSchemas = (release: SchemaRelease): void =>
  writeFileSync(RELEASED, `${JSON.stringify(release, null, 1)}\n`);

export const readChangesets = (): string[] =>
  globSync('*.md', { cwd: CHANGESETS }).map((name) => read(new URL(name, CHANGESETS)));

const majorOf = (version: string): number => Number.parseInt(version, 10);

/** Whether breaking changes are expected: the major version is a later one, or a changeset makes it so. */
export const isNewMajorVersion = (before: string, after: string, changesets: readonly string[]): boolean =>
  majorOf(after) > majorOf(before) ||
  changesets.some((text) => /^---\n(?:.*\n)*?["'].+["']: major\n/.test(text));

/** The definitions of a file, and the file itself as one of them. */
const toParts = ({ $schema: _, $id: _id, $defs = {}, ...schema }: Schema): [Schema, Schemas] => [
  schema,
  $defs as Schemas,
];

/**
 * What in the later schemas breaks those who use the earlier ones, a sentence each that begins with the file. It depends
 * on who writes a message and who reads it.
 */
export const findBreakingChanges = (earlier: Schemas, later: Schemas): string[] =>
  Object.entries(earlier).flatMap(([name, schema]) => {
    const other = later[name];
    if (other === undefined) return [`${name}.json is gone`];
    const [[before, schemasBefore], [after, schemasAfter]] = [toParts(schema), toParts(other)];
    const compare = createSchemaComparison(directionOf(name), { before: schemasBefore, after: schemasAfter });
    return [...new Set(compare(before, after, 'body'))].map((change) => `${name}.json: ${change}`);
  });

/** The files whose schemas are new, changed or gone, by name. */
export const listChangedSchemas = (earlier: Schemas, later: Schemas): string[] =>
  [...new Set([...Object.keys(earlier), ...Object.keys(later)])].filter(
    (name) => !isDeepStrictEqual(earlier[name], later[name]),
  );
