import { resolve, type Schema, type Schemas, type Variant, valuesOf, variantsOf } from './schema.ts';

/**
 * Which way a value goes, seen by the other side: a request must go on being taken, a response must go on being
 * understood. Who reads a response has a default for values and forms that are new to it; a strict reader refuses what
 * its schema does not allow, except for fields that it does not know.
 */
export type Direction = 'request' | 'response' | 'strict response';

/** Compares schemas of two documents; returns what breaks clients, a sentence each. */
export type CompareSchemas = (before: Schema, after: Schema, path: string) => string[];

const ANYTHING: Schema = {};
const ANY_NAME: Schema = { type: 'string' };

const UPPER_BOUNDS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];
const LOWER_BOUNDS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
/** Whether another value of these takes less cannot be told. */
const CONSTRAINTS = ['pattern', 'format', 'multipleOf', 'uniqueItems'];
const STRUCTURE = ['type', 'const', 'enum', 'properties', 'required', 'additionalProperties', 'items'];
const WORDS = ['title', 'description', 'example', 'examples', 'deprecated', 'discriminator'];
const KNOWN = new Set([
  ...[UPPER_BOUNDS, LOWER_BOUNDS, CONSTRAINTS, STRUCTURE, WORDS].flat(),
  'propertyNames',
]);

const show = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
const isSame = (one: unknown, other: unknown): boolean => show(one) === show(other);

/** Whether no value has both forms, because a field that both require names different values. */
const areApart = (one: Schema, other: Schema): boolean =>
  (one.required ?? []).some((name) => {
    const [values, others] = [one, other].map((schema) => valuesOf(schema.properties?.[name] ?? ANYTHING));
    return values && others && !values.some((value) => others.includes(value));
  });

/** Whether every value of one type has the other. */
const isWithin = (type: string, other: string): boolean =>
  type === other || other === 'any' || (type === 'integer' && other === 'number');

export const createSchemaComparison = (
  direction: Direction,
  { before: schemasBefore, after: schemasAfter }: { before: Schemas; after: Schemas },
): CompareSchemas => {
  const isRequest = direction === 'request';
  const isStrict = direction === 'strict response';
  /** What was found for a pair of schemas; empty while it is compared, which ends cycles. */
  const seen = new Map<Schema, Map<Schema, string[]>>();

  const compare: CompareSchemas = (before, after, path) => {
    const pairs = seen.get(before) ?? new Map<Schema, string[]>();
    seen.set(before, pairs);
    const known = pairs.get(after);
    if (known) return known;
    pairs.set(after, []);
    const findings = [...compareDefaults(before, after, path), ...compareVariants(before, after, path)];
    pairs.set(after, findings);
    return findings;
  };

  const compareDefaults: CompareSchemas = (before, after, path) => {
    const [earlier, later] = [
      resolve(before, path, schemasBefore).schema.default,
      resolve(after, path, schemasAfter).schema.default,
    ];
    if (!isRequest || isSame(earlier, later)) return [];
    return [`left out, \`${path}\` was ${show(earlier)} and is ${show(later)}`];
  };

  const compareVariants: CompareSchemas = (before, after, path) => {
    const [earlier, later] = [variantsOf(before, path, schemasBefore), variantsOf(after, path, schemasAfter)];
    return [
      ...earlier.flatMap((variant) => findCounterpart(variant, later)),
      ...(isRequest ? [] : later.flatMap((variant) => findOrigin(variant, earlier))),
    ];
  };

  /** What has become of a form that clients use. */
  const findCounterpart = (variant: Variant, later: Variant[]): string[] => {
    const { type, path, schema } = variant;
    // Clients understand a response that is never null, and one that can be anything is found by its own form.
    if (!isRequest && (type === 'null' || later.some((other) => other.type === 'any'))) return [];
    const candidates = later.filter((other) =>
      isWithin(...(isRequest ? ([type, other.type] as const) : ([other.type, type] as const))),
    );
    const similar = candidates.filter((other) => !areApart(schema, other.schema));
    if (similar.length > 0) return fewest(similar.map((other) => compareForms(variant, other)));
    const kind = describe(variant, candidates.length > 0);
    return [
      isRequest ? `\`${path}\` does not take ${kind} any more` : `\`${path}\` is never ${kind} any more`,
    ];
  };

  /** A form of a response that clients do not expect; one that a field tells apart is like a new value. */
  const findOrigin = (variant: Variant, earlier: Variant[]): string[] => {
    const candidates = earlier.filter(({ type }) => isWithin(variant.type, type));
    if (candidates.length === 0) return [`\`${variant.path}\` can be ${describe(variant, false)}`];
    const similar = candidates.filter(({ schema }) => !areApart(variant.schema, schema));
    if (isStrict && similar.length === 0) return [`\`${variant.path}\` can be ${describe(variant, true)}`];
    return fewest(similar.map((other) => compareForms(other, variant)));
  };

  const compareForms = ({ type, schema: before, path }: Variant, other: Variant): string[] => {
    const after = other.schema;
    if (type === 'any' || other.type === 'any') return compareUnknown(before, after, path);
    return [
      ...compareValues(before, after, path),
      ...compareLimits(before, after, path),
      ...compareUnknown(before, after, path),
      ...(type === 'object' ? compareObjects(before, after, path) : []),
      ...(type === 'array' ? compare(before.items ?? ANYTHING, after.items ?? ANYTHING, `${path}[]`) : []),
    ];
  };

  const compareValues: CompareSchemas = (before, after, path) => {
    const [earlier, later] = [valuesOf(before), valuesOf(after)];
    if (earlier && later) {
      const gone = earlier.filter((value) => !later.includes(value));
      const added = isStrict ? later.filter((value) => !earlier.includes(value)) : [];
      return [
        ...gone.map((value) => `the value ${show(value)} of \`${path}\` is gone`),
        ...added.map((value) => `the value ${show(value)} of \`${path}\` is new`),
      ];
    }
    if (isRequest && later) return [`\`${path}\` takes only ${later.map(show).join(', ')}`];
    return !isRequest && earlier ? [`the values of \`${path}\` are not listed any more`] : [];
  };

  const compareLimits: CompareSchemas = (before, after, path) => {
    const changed = (keyword: string): string =>
      `\`${keyword}\` of \`${path}\` was ${show(before[keyword])} and is ${show(after[keyword])}`;
    if (direction === 'response') {
      return before.format === undefined || before.format === after.format ? [] : [changed('format')];
    }
    // What is taken must not become narrower; what a strict reader gets must not become wider.
    const [wide, narrow] = isStrict ? [after, before] : [before, after];
    const limitOf = (schema: Schema, keyword: string, none: number): number =>
      Number(schema[keyword] ?? none);
    return [
      ...UPPER_BOUNDS.filter((it) => limitOf(narrow, it, Infinity) < limitOf(wide, it, Infinity)),
      ...LOWER_BOUNDS.filter((it) => limitOf(narrow, it, -Infinity) > limitOf(wide, it, -Infinity)),
      ...CONSTRAINTS.filter((it) => narrow[it] !== undefined && narrow[it] !== wide[it]),
    ].map(changed);
  };

  /** A keyword that is compared nowhere else may mean anything. */
  const compareUnknown: CompareSchemas = (before, after, path) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((it) => !KNOWN.has(it) && !isSame(before[it], after[it]))
      .map((keyword) => `\`${keyword}\` of \`${path}\` has changed, which this comparison does not know`);

  const compareObjects: CompareSchemas = (before, after, path) => [
    ...Object.entries(before.properties ?? {}).flatMap(([name, property]) => {
      const later = after.properties?.[name];
      return later ? compare(property, later, `${path}.${name}`) : [`\`${path}.${name}\` is gone`];
    }),
    ...compareRequired(before, after, path),
    ...compareOthers(before, after, path),
  ];

  const compareRequired: CompareSchemas = (before, after, path) => {
    if (isRequest) {
      const added = (after.required ?? []).filter((name) => !before.required?.includes(name));
      return added.map((name) => `\`${path}.${name}\` is required`);
    }
    const removed = (before.required ?? []).filter((name) => !after.required?.includes(name));
    return removed
      .filter((name) => after.properties?.[name])
      .map((name) => `\`${path}.${name}\` can be left out`);
  };

  const compareOthers: CompareSchemas = (before, after, path) => {
    const [earlier, later] = [before, after].map(({ additionalProperties: it = true }) =>
      it === true ? ANYTHING : it,
    );
    if (!earlier) return [];
    if (!later) return isRequest || earlier !== ANYTHING ? [`\`${path}\` has no fields of any name`] : [];
    return [
      ...compare(earlier, later, `${path}.*`),
      ...compare(before.propertyNames ?? ANY_NAME, after.propertyNames ?? ANY_NAME, `names in ${path}`),
    ];
  };

  return compare;
};

/** The shortest of several lists of findings: that of the most similar form. */
const fewest = (results: string[][]): string[] =>
  results.toSorted((one, other) => one.length - other.length)[0] ?? [];

/** A form in a few words: its type, and where others have the same, the value that tells it apart. */
const describe = ({ type, schema }: Variant, isAmbiguous: boolean): string => {
  if (!isAmbiguous) return type === 'any' ? 'anything' : type;
  const distinctive = (schema.required ?? []).flatMap((name) => {
    const values = valuesOf(schema.properties?.[name] ?? ANYTHING);
    return values?.length === 1 ? [` with \`${name}\` ${show(values[0])}`] : [];
  });
  return `${type}${distinctive[0] ?? ''}`;
};
