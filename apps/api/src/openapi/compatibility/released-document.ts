import { readFileSync, writeFileSync } from 'node:fs';
import type { ApiDocument } from './breaking-changes.ts';

const RELEASED = new URL('../../../openapi/released.json', import.meta.url);

/** The OpenAPI document of the last release. Throws where there is none. */
export const readReleasedDocument = (): ApiDocument => JSON.parse(readFileSync(RELEASED, 'utf8'));

export const writeReleasedDocument = (document: object): void =>
  writeFileSync(RELEASED, `${JSON.stringify(document, null, 1)}\n`);
