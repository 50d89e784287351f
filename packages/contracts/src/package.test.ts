import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

describe('the package', () => {
  it('runs in a browser: its sources import only Zod and each other', () => {
    const sources = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    const imported = sources.flatMap((name) =>
      Array.from(
        readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(
          /(?<!')\b(?:from|import)\s*\(?\s*'([^']+)'/g,
        ),
        ([, specifier]) => specifier,
      ),
    );
    expect(imported.length).toBeGreaterThan(sources.length);
    expect(imported.filter((specifier) => specifier !== 'zod' && !/^\.\.?\//.test(specifier ?? ''))).toEqual(
      [],
    );
  });
});
