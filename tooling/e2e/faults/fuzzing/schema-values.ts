import fc from 'fast-check';
import { type ApiDescription, type JsonSchema, resolveSchema } from './api-description.ts';

/** Longest list and text that are made up; the limits themselves are tried by mutation. */
const MAX_LIST_LENGTH = 5;
const MAX_TEXT_LENGTH = 200;

/**
 * Makes values that a schema of the document allows.
 *
 * @param knownTexts - texts that mean something to the API, such as ids that exist; used where a schema takes them;
 *   one alone stands wherever it is taken
 * @throws on a construct of JSON Schema that it does not know, so that no new route goes half tried
 */
export const createSchemaValues = (
  description: ApiDescription,
  knownTexts: readonly string[],
): ((schema: JsonSchema) => fc.Arbitrary<unknown>) => {
  const valuesOf = (reference: JsonSchema): fc.Arbitrary<unknown> => {
    const schema = resolveSchema(description, reference);
    if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
    if (schema.const !== undefined) return fc.constant(schema.const);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices !== undefined) return fc.oneof(...choices.map(valuesOf));
    if (Array.isArray(schema.type))
      return fc.oneof(...schema.type.map((type) => valuesOf({ ...schema, type })));
    switch (schema.type) {
      case 'string':
        return textsOf(schema, knownTexts);
      case 'integer':
        return fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 1_000, 2 ** 31) });
      case 'number':
        return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      case 'array':
        return fc.array(valuesOf(schema.items ?? {}), {
          minLength: schema.minItems ?? 0,
          maxLength: Math.min(schema.maxItems ?? MAX_LIST_LENGTH, MAX_LIST_LENGTH),
        });
      case 'object':
        return fc.record(
          Object.fromEntries(
            Object.entries(schema.properties ?? {}).map(([name, property]) => [name, valuesOf(property)]),
          ),
          { requiredKeys: schema.required ?? [] },
        );
      default:
        throw new Error(`no values are known for the schema ${JSON.stringify(schema)}`);
    }
  };
  return valuesOf;
};

const textsOf = (schema: JsonSchema, knownTexts: readonly string[]): fc.Arbitrary<string> => {
  const fits = toCheck(schema);
  const [only] = knownTexts;
  if (knownTexts.length === 1 && only !== undefined && fits(only)) return fc.constant(only);
  const known = [...knownTexts, '1', '2', '30'].filter(fits);
  const madeUp = madeUpTextsOf(schema);
  return known.length === 0 ? madeUp : fc.oneof(fc.constantFrom(...known), madeUp);
};

/** Whether a text is as long as the schema says, and matches its pattern. */
const toCheck = ({ minLength = 0, maxLength = MAX_TEXT_LENGTH, pattern }: JsonSchema) => {
  const expression = pattern === undefined ? undefined : new RegExp(pattern);
  return (text: string): boolean =>
    text.length >= minLength &&
    text.length <= maxLength &&
    (expression === undefined || expression.test(text));
};

/** Formats whose pattern is slow to make texts of, or has what fast-check makes none of. */
const FORMATS: Record<string, fc.Arbitrary<string>> = { uuid: fc.uuid(), hostname: fc.domain() };

/** The arbitraries so far: making one takes tens of milliseconds. */
const madeUpTexts = new Map<string, fc.Arbitrary<string>>();

const madeUpTextsOf = (schema: JsonSchema): fc.Arbitrary<string> => {
  const { minLength = 0, maxLength = MAX_TEXT_LENGTH, pattern, format } = schema;
  const key = JSON.stringify([minLength, maxLength, pattern, format]);
  const made = madeUpTexts.get(key);
  if (made !== undefined) return made;
  const madeUp =
    (format !== undefined && FORMATS[format]) ||
    (pattern === undefined
      ? fc.string({ minLength, maxLength: Math.min(maxLength, MAX_TEXT_LENGTH) })
      : fc.stringMatching(new RegExp(pattern)).filter(toCheck(schema)));
  madeUpTexts.set(key, madeUp);
  return madeUp;
};
