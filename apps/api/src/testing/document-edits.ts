import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '@mailsweep/contracts/compatibility';
import type { ApiDocument } from '../openapi/compatibility/breaking-changes.ts';
import { createOpenApiDocument } from '../openapi/document.ts';

export const DOCUMENT: ApiDocument = JSON.parse(JSON.stringify(createOpenApiDocument()));

export type Edit = (document: ApiDocument) => void;

export const given = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('The document has no such part.');
  return value;
};
export const operation = (document: ApiDocument, method: string, path: string) =>
  given(document.paths[`/api/v1/${path}`]?.[method]);
export const parameter = (document: ApiDocument, method: string, path: string, name: string) =>
  given(operation(document, method, path).parameters?.find((it) => it.name === name));
export const schema = (document: ApiDocument, name: string): Schema =>
  given(document.components.schemas[name]);
export const field = (document: ApiDocument, name: string, property: string): Schema =>
  given(schema(document, name).properties?.[property]);

export const rename = <T>(record: Record<string, T> | undefined, from: string, to: string): void => {
  const values = given(record);
  values[to] = given(values[from]);
  delete values[from];
};
export const without = (values: unknown[] | undefined, value: unknown): unknown[] => {
  if (!values?.includes(value)) throw new Error('There is no such value.');
  return values.filter((it) => it !== value);
};
export const optional = (of: Schema, name: string): void => {
  of.required = without(of.required, name) as string[];
};

/** A copy of the real document with a change. */
export const change = (edit: Edit): ApiDocument => {
  const changed = structuredClone(DOCUMENT);
  edit(changed);
  if (isDeepStrictEqual(changed, DOCUMENT)) throw new Error('Nothing was changed.');
  return changed;
};
