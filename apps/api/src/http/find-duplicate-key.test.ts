import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findDuplicateKey } from './find-duplicate-key.ts';

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
