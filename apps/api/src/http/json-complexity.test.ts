import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isTooComplex } from './json-complexity.ts';

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
