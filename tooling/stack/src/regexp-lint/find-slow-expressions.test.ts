import { describe, expect, test } from 'vitest';
import { createSlowExpressionCheck } from './find-slow-expressions.ts';

/** An analysis takes seconds of processor time. */
const TIMEOUT_MS = 60_000;

const findSlowExpressions = createSlowExpressionCheck();
const slowIn = (source: string, file = 'file.ts') =>
  findSlowExpressions(file, source).map(({ line, text }) => [line, text]);

describe('R36: the check of regular expressions', { timeout: TIMEOUT_MS }, () => {
  test.each([
    ['quadratic because each space begins a search', 'contentType.split(/ *; */)', '/ *; */'],
    ['quadratic at the end of the text', "url.replace(/\\/+$/, '')", '/\\/+$/'],
    ['quadratic by backtracking', '/^\\s*(.*?)\\s*$/.exec(text)', '/^\\s*(.*?)\\s*$/'],
    ['exponential', '/^(a+)+$/.test(text)', '/^(a+)+$/'],
    ['given as a text', "new RegExp('^(a|a)*$', 'u')", "new RegExp('^(a|a)*$', 'u')"],
    ['given as a template', 'RegExp(`[a-z]+;`)', 'RegExp(`[a-z]+;`)'],
    ['built at run time', 'new RegExp(name)', 'new RegExp(name)'],
    ['built from a template', `new RegExp(\`^\${name}$\`)`, `new RegExp(\`^\${name}$\`)`],
    ['with flags of run time', "new RegExp('^a$', flags)", "new RegExp('^a$', flags)"],
    ['invalid', "new RegExp('(')", "new RegExp('(')"],
  ])('refuses one that is %s', (_name, source, text) => {
    expect(slowIn(`const first = 1;\nexport const found = ${source};\n`)).toEqual([[2, text]]);
  });

  test.each([
    '/^[a-z]+$/.test(text)',
    "text.split(';')",
    '/<[^<]*>/.exec(text)',
    '/(?<!\\/)\\/+$/.test(url)',
    "new RegExp('^a$', 'u')",
  ])('accepts %s', (source) => {
    expect(slowIn(`export const found = ${source};`)).toEqual([]);
  });

  test('reads TypeScript and JSX', () => {
    const source =
      'const a = <T,>(x: T): T => x;\nexport const b = <p title={String(/ *; */ satisfies RegExp)}>/ *; */</p>;';

    expect(slowIn(source, 'file.tsx')).toEqual([[2, '/ *; */']]);
  });

  test('rejects a file that it cannot parse', () => {
    expect(() => slowIn('const = ;')).toThrow('file.ts');
  });
});
