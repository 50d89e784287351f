import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const text = readFileSync('docs/SECURITY.md', 'utf8');

describe('docs/SECURITY.md', () => {
  const paths = [...text.matchAll(/`((?:apps|packages|docs|stack)\/[\w./-]+)`/g)].map(
    ([, path = '']) => path,
  );

  test('points at files that exist', () => {
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('has every chapter of ASVS 5.0', () => {
    const chapters = [...text.matchAll(/^### V(\d+) /gm)].map(([, number]) => Number(number));
    expect(chapters).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
  });
});
