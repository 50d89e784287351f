import { expect, it } from 'vitest';
import { applyFieldMask } from './field-mask.ts';

const VALUE = { a: 1, b: { c: 2, d: { e: 3, f: 4 } }, list: [{ x: 1, y: 2 }, { x: 3 }] };

it.each([
  ['a', { a: 1 }],
  ['a,b(c)', { a: 1, b: { c: 2 } }],
  ['b/d/e', { b: { d: { e: 3 } } }],
  ['b(d(f),c),a', { a: 1, b: { c: 2, d: { f: 4 } } }],
  ['list(x)', { list: [{ x: 1 }, { x: 3 }] }],
  ['list/y,absent', { list: [{ y: 2 }, {}] }],
  ['b/*', { b: { c: 2, d: { e: 3, f: 4 } } }],
])('cuts a value down to %s', (mask, expected) => {
  expect(applyFieldMask(VALUE, mask)).toEqual(expected);
});

it.each(['', 'a(', 'a)b', 'a,,b', '(a)'])('leaves a value whole when the mask %j can’t be read', (mask) => {
  expect(applyFieldMask(VALUE, mask)).toEqual(VALUE);
});
