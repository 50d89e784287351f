import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CLAUSES } from './clauses.ts';

it('docs/ML-CONTRACT.md has each clause, and no other', () => {
  const text = readFileSync(new URL('../../../docs/ML-CONTRACT.md', import.meta.url), 'utf8');
  const headings = [...text.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(Object.keys(CLAUSES));
});
