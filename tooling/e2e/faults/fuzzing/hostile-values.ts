import fc from 'fast-check';

const LONG = 100_000;

/** Texts that have broken programs before. */
const HOSTILE_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud83c',
  '\udf37\ud83c',
  '\u202egnp.exe',
  '\u2028\u2029\ufeff',
  '🌷'.repeat(50),
  'x'.repeat(LONG),
  '__proto__',
  'constructor',
  'toString',
  'null',
  'undefined',
  'NaN',
  'true ',
  'TRUE',
  '0x10',
  '7.0',
  '-1',
  '-0',
  '1e9',
  '1e400',
  '9'.repeat(400),
  '%00',
  '%',
  '../../etc/passwd',
  "' OR 1=1 --",
  '{{7*7}}',
  '<script>alert(1)</script>',
  '\r\nset-cookie: session_token=x',
  'javascript:alert(1)',
  '\u001b[2J',
];

const HOSTILE_NUMBERS = [
  0,
  -0,
  -1,
  1.5,
  1e9,
  1e308,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER + 1,
  Number.MIN_SAFE_INTEGER,
  2 ** 31,
  -(2 ** 31) - 1,
];

/** Keys that mean something to JavaScript, and plain unknown ones. */
export const HOSTILE_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '',
  'a.b',
  '$where',
  'userId',
  'then',
  '\u0000',
  '🌷',
];

export const hostileText = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary' }));

/** A list in a list in a list. */
const nest = (depth: number): unknown => {
  let value: unknown = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
};

/** An object with one key as JSON has it: `__proto__` is a key like any other there. */
export const withKey = (target: object, key: string, value: unknown): object =>
  Object.defineProperty({ ...target }, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });

/** Any JSON value, the troublesome ones more often than chance has them. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(...HOSTILE_NUMBERS),
  fc.constantFrom<unknown>(null, true, false, [], {}),
  fc.integer({ min: 2, max: 500 }).map(nest),
  fc.array(hostileText, { maxLength: 3 }),
  fc.tuple(fc.constantFrom(...HOSTILE_KEYS), hostileText).map(([key, value]) => withKey({}, key, value)),
  fc.jsonValue(),
);
