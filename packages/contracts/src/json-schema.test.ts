import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { renderJsonSchemaFiles } from '../scripts/json-schema-documents.ts';

const root = join(import.meta.dirname, '..');
const readText = (path: string) => readFileSync(join(root, path), 'utf8');
const readJson = (path: string) => JSON.parse(readText(path));

const compile = (name: string) => {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  return ajv.compile(readJson(`json-schema/${name}.json`));
};

describe('the JSON Schema files', () => {
  const rendered = renderJsonSchemaFiles();

  it('are those of the present schemas (otherwise run: pnpm run generate:json-schema)', () => {
    expect(readdirSync(join(root, 'json-schema')).sort()).toEqual([...rendered.keys()].sort());
    for (const [name, text] of rendered) expect(readText(`json-schema/${name}`), name).toBe(text);
  });

  it.each([...rendered.keys()])(
    'include %s, which a strict validator of draft 2020-12 understands',
    (file) => {
      expect(compile(file.replace('.json', ''))).toBeTypeOf('function');
    },
  );

  it.each([
    ['ml-request', 'ml-request'],
    ['ml-response', 'ml-response'],
    ['event-suggestions-generated', 'event-suggestions-generated'],
    ['event-suggestions-confirmed', 'event-suggestions-confirmed'],
    ['webhook-body', 'webhook-body'],
  ])('accept by %s the fixture %s', (schema, fixture) => {
    const validate = compile(schema);
    validate(readJson(`fixtures/${fixture}.json`));
    expect(validate.errors ?? []).toEqual([]);
  });

  it('accept every email of the fixtures', () => {
    const validate = compile('email');
    for (const email of readJson('fixtures/emails.json')) expect(validate(email)).toBe(true);
  });

  it('refuse every response of the classification service that lacks a known item form', () => {
    const validate = compile('ml-response');
    const wellFormed = 'only emails that were not sent';
    for (const { name, body } of readJson('fixtures/ml-response-malformed.json')) {
      expect(validate(body), name).toBe(name === wellFormed);
    }
  });

  it('refuse unknown fields in what a client sends and allow new fields in what it gets', () => {
    expect(compile('confirm-request')({ emailIds: ['a'], action: 'accept', force: true })).toBe(false);
    const suggestion = { action: 'archive', classification: 'bulk', confidence_score: 1, model: 'v2' };
    expect(compile('suggestion')(suggestion)).toBe(true);
  });
});
