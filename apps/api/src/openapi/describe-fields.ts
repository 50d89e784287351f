import { PROBLEM_KINDS } from '@mailsweep/contracts';
import meanings from './field-meanings.json' with { type: 'json' };

interface Schema {
  $ref?: string;
  description?: string;
  const?: unknown;
  type?: unknown;
  properties?: Record<string, Schema>;
  [keyword: string]: unknown;
}

interface Document {
  components?: { schemas?: Record<string, unknown> };
  paths?: object;
  webhooks?: object;
}

/** What fields and parameters mean that their own schemas do not describe: by name, or by name and what they belong to. */
const MEANINGS: Record<string, string> = meanings;

const VARIANTS = ['anyOf', 'oneOf', 'allOf'] as const;

/** Describes every field and parameter that its schema does not describe, and lists the codes of problems. */
export const describeFields = <T extends Document>(document: T): T => {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  /** Whether readers learn what it means: here, or where all its variants are described. */
  const isDescribed = (schema: Schema): boolean => {
    if (schema.description !== undefined || schema.const !== undefined) return true;
    if (schema.$ref !== undefined) return isDescribed(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
    return VARIANTS.some((keyword) => {
      const variants = ((schema[keyword] ?? []) as Schema[]).filter(({ type }) => type !== 'null');
      return variants.length > 0 && variants.every(isDescribed);
    });
  };
  const describe = (name: string, owner: string, schema: Schema): void => {
    const meaning = MEANINGS[`${owner}.${name}`] ?? MEANINGS[name];
    if (meaning !== undefined && !isDescribed(schema)) schema.description = meaning;
  };
  const visit = (value: unknown, owner: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { properties, in: place, name, schema } = value as Schema;
    if (typeof place === 'string' && typeof schema === 'object' && !isDescribed(value as Schema))
      describe(String(name), place, value as Schema);
    for (const [field, of] of Object.entries(properties ?? {})) describe(field, owner, of);
    for (const [key, child] of Object.entries(value)) {
      // Examples are values, no schemas.
      if (key === 'example' || key === 'examples') continue;
      if (key === 'properties') for (const [field, of] of Object.entries(properties ?? {})) visit(of, field);
      else visit(child, owner);
    }
  };
  for (const [id, schema] of Object.entries(schemas)) visit(schema, id);
  visit(document.paths, '');
  visit(document.webhooks, '');
  const code = schemas.Problem?.properties?.code;
  if (code) {
    const { type, pattern } = code;
    // Clients must expect others.
    Object.assign(code, {
      anyOf: [
        { type, enum: Object.keys(PROBLEM_KINDS) },
        { type, pattern },
      ],
    });
    delete code.type;
    delete code.pattern;
  }
  return document;
};
