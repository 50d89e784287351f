/** A JSON Schema, of a file or of an OpenAPI 3.1 document, with the keywords that are compared. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  [keyword: string]: unknown;
}

export type Schemas = Record<string, Schema>;

/** One of the forms that a value may have: a schema with one type, without references and alternatives. */
export interface Variant {
  type: string;
  schema: Schema;
  /** The name of its schema, or the path of the field. */
  path: string;
}

/** Follows a reference; what stands beside it counts, too. */
export const resolve = (schema: Schema, path: string, schemas: Schemas): { schema: Schema; path: string } => {
  if (schema.$ref === undefined) return { schema, path };
  const name = schema.$ref.split('/').at(-1) ?? '';
  const target = schemas[name];
  if (!target) throw new Error(`The document has no schema ${schema.$ref}.`);
  const { $ref: _, ...beside } = schema;
  return resolve({ ...target, ...beside }, name, schemas);
};

/** The values that a schema lists; undefined where it takes others, too. */
export const valuesOf = (schema: Schema): unknown[] | undefined =>
  'const' in schema ? [schema.const] : schema.enum;

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
};

const typesOf = (schema: Schema): string[] => {
  if (schema.type !== undefined) return [schema.type].flat();
  return [...new Set((valuesOf(schema) ?? []).map(typeOf))];
};

const ofType = (schema: Schema, type: string): Schema => {
  if (type === 'null') return {};
  return schema.enum ? { ...schema, enum: schema.enum.filter((value) => value !== null) } : schema;
};

/** All forms that a value of the schema may have; one of the type `any` where everything is allowed. */
export const variantsOf = (raw: Schema, rawPath: string, schemas: Schemas): Variant[] => {
  const { schema, path } = resolve(raw, rawPath, schemas);
  const { anyOf, oneOf, default: _, ...rest } = schema;
  const alternatives = anyOf ?? oneOf;
  if (alternatives) {
    return alternatives.flatMap((alternative) => {
      const resolved = resolve(alternative, path, schemas);
      return variantsOf({ ...rest, ...resolved.schema }, resolved.path, schemas);
    });
  }
  const types = typesOf(rest);
  if (types.length === 0) return [{ type: 'any', schema: rest, path }];
  return types.map((type) => ({ type, schema: ofType(rest, type), path }));
};
