import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../../..');

/** The blocks of code in a language of a document, in their order; the path is relative to the checkout. */
export const readSamples = (document: string, language: string): string[] =>
  [...readFileSync(join(REPOSITORY, document), 'utf8').matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .filter(([, marked]) => marked === language)
    .map(([, , code = '']) => code);
