import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import words from './async-api-words.json' with { type: 'json' };
import { PUBLISHED_SCHEMAS, toJsonSchema } from './json-schema-documents.ts';

/** A message of the document but for its schema; it has the name of its JSON Schema file. */
interface Message {
  examples?: object[];
  [field: string]: unknown;
}

const readFixture = (name: string): unknown => {
  const path = join(import.meta.dirname, `../fixtures/${name}.json`);
  return JSON.parse(readFileSync(path, 'utf8'));
};

/** An AsyncAPI 3 document of all that leaves Mailsweep unasked: domain events, notifications and webhook calls. */
const createAsyncApiDocument = () => {
  const schemas: Record<string, unknown> = {};
  const messages: Record<string, object> = {};
  for (const [name, { examples, ...message }] of Object.entries<Message>(words.components.messages)) {
    const schema = PUBLISHED_SCHEMAS.output[name];
    if (schema === undefined) throw new Error(`${name} has no schema`);
    const { $defs = {}, ...payload } = toJsonSchema(schema, 'output');
    Object.assign(schemas, $defs);
    const shown = examples?.map((example) => ({ ...example, payload: readFixture(name) }));
    messages[name] = { ...message, payload, ...(shown && { examples: shown }) };
  }
  return { ...words, components: { messages, schemas } };
};

export const renderAsyncApi = (): string =>
  `${JSON.stringify(createAsyncApiDocument(), null, 2)}\n`.replaceAll('#/$defs/', '#/components/schemas/');
