import fc from 'fast-check';
import { type Change, type FuzzedRequest, rewrite } from './fuzzed-request.ts';
import { HOSTILE_KEYS, hostileJson, hostileText, withKey } from './hostile-values.ts';

export const changeQuery: Change = (request) => {
  const names = request.operation.parameters
    .filter(({ in: place }) => place === 'query')
    .map(({ name }) => name);
  const known = names.length === 0 ? fc.constant('page') : fc.constantFrom(...names);
  const unknown = fc.oneof(fc.constantFrom(...HOSTILE_KEYS, 'unread[]', 'page[x]'), hostileText);
  const changed = (query: FuzzedRequest['query'], what: string) => rewrite({ ...request, query, what });
  return fc.oneof(
    fc
      .tuple(known, hostileText)
      .map(([name, value]) =>
        changed(
          [...request.query.filter(([other]) => other !== name), [name, value]],
          `query ${name} changed`,
        ),
      ),
    fc
      .tuple(known, hostileText)
      .map(([name, value]) =>
        changed([...request.query, [name, value], [name, '1']], `query ${name} occurs twice`),
      ),
    fc
      .tuple(unknown, hostileText)
      .map(([name, value]) => changed([...request.query, [name, value]], 'query added')),
  );
};

export const changeParams: Change = (request) =>
  fc
    .tuple(fc.constantFrom(...Object.keys(request.params)), hostileText)
    // An empty segment is another path.
    .filter(([, value]) => value !== '')
    .map(([name, value]) =>
      rewrite({ ...request, params: { ...request.params, [name]: value }, what: `path ${name} changed` }),
    );

type JsonPath = (string | number)[];

/** Where the values of a JSON value stand, itself included; long lists are looked at in part. */
const listPaths = (value: unknown, path: JsonPath = []): JsonPath[] => {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.keys(value).slice(0, 10);
  return [
    path,
    ...inner.flatMap((key) =>
      listPaths((value as Record<string, unknown>)[key], [...path, Array.isArray(value) ? Number(key) : key]),
    ),
  ];
};

/** A copy of a JSON value with the value at one place replaced; left out where it is undefined. */
const replaceAt = (
  value: unknown,
  [key, ...rest]: JsonPath,
  replacement: (old: unknown) => unknown,
): unknown => {
  if (key === undefined) return replacement(value);
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => {
      const kept = index === key ? replaceAt(item, rest, replacement) : item;
      return kept === undefined ? [] : [kept];
    });
  }
  const fields = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const kept = name === key ? replaceAt(field, rest, replacement) : field;
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
};

const addTo = (container: unknown, key: string, addition: unknown): unknown => {
  if (Array.isArray(container)) return [...container, addition];
  return typeof container === 'object' && container !== null ? withKey(container, key, addition) : addition;
};

export const changeValue: Change = (request) => {
  const changed = (value: unknown, what: string) => rewrite({ ...request, value: value ?? {}, what });
  const replaced = (path: JsonPath, what: string, replacement: (old: unknown) => unknown) =>
    changed(replaceAt(request.value, path, replacement), `${what} at ${path.join('.') || 'the root'}`);
  return fc.constantFrom(...listPaths(request.value)).chain((path) =>
    fc.oneof(
      hostileJson.map((value) => replaced(path, 'replaced', () => value)),
      fc.constant(replaced(path, 'left out', () => undefined)),
      fc
        .tuple(fc.constantFrom(...HOSTILE_KEYS), hostileJson)
        .map(([key, value]) =>
          replaced(path, `added ${JSON.stringify(key)}`, (old) => addTo(old, key, value)),
        ),
      fc.constant(replaced(path, 'made 1,001 of', (old) => Array.from({ length: 1_001 }, () => old))),
      fc.constant(replaced(path, 'emptied', (old) => (Array.isArray(old) ? [] : ''))),
    ),
  );
};
