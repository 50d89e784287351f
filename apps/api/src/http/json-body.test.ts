import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDuplicateKey, isTooComplex } from './json-body.ts';

const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const keyed = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, number) => [`k${number}`, 0])));

describe('JSON text that is too complex', () => {
  test.each([
    ['arrays in arrays', nested(33)],
    ['objects in objects', '{"a":'.repeat(33)],
    ['many keys', keyed(1_001)],
    ['many keys in many objects', JSON.stringify(Array.from({ length: 1_001 }, () => ({ a: 1 })))],
    ['brackets behind an escaped quote', `["\\"",${nested(32)}]`],
    ['brackets after an unclosed string', `[1]${nested(33)}"`],
  ])('is found: %s', (_name, text) => {
    expect(isTooComplex(text)).toBe(true);
  });

  test.each([
    ['a thousand ids', JSON.stringify({ ids: Array.from({ length: 1_000 }, () => 'id') })],
    ['32 levels', nested(32)],
    ['1,000 keys', keyed(1_000)],
    ['brackets and colons in a string', JSON.stringify(`${'[{'.repeat(50)}"\\${':'.repeat(2_000)}`)],
    ['an unclosed string', `"${'['.repeat(50)}`],
    ['a backslash at the end', '"\\'],
    ['closing brackets alone', `${']'.repeat(50)}[`],
  ])('is not seen in %s', (_name, text) => {
    expect(isTooComplex(text)).toBe(false);
  });

  test('is not seen in small JSON', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 10 }), (text) => !isTooComplex(text)));
  });
});

describe('a key that occurs twice', () => {
  test.each([
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{"b":[],"c":{},"b":0}}', 'b'],
    ['[{"a":1},{"b":1,"b":2}]', 'b'],
    ['{ "a" : [ {"x":1}, "a" ] , "a" : 2 }', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"":1,"":2}', ''],
    ['{"\\"":1,"\\"":2}', '"'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('is found in %s', (json, key) => {
    expect(findDuplicateKey(json)).toBe(key);
  });

  test.each([
    '{}',
    '"a"',
    '{"a":"a","b":"a"}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '["a","a"]',
    '{"a":["b","b"],"b":1}',
    '{"a":"{\\"a\\":1,\\"a\\":2}","b":",\\\\"}',
  ])('is not seen where there is none: %s', (json) => {
    expect(findDuplicateKey(json)).toBeUndefined();
  });

  test('is never seen in what JSON.stringify wrote', () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(findDuplicateKey(json)).toBeUndefined();
      }),
    );
  });

  test('is always found when a member of an object is repeated', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, index) => {
        const members = Object.entries(object).map(
          ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
        );
        const repeated = members[index % members.length] ?? '';
        const key = Object.keys(object)[index % members.length];
        expect(findDuplicateKey(`{${[...members, repeated].join(',')}}`)).toBe(key);
      }),
    );
  });
});
