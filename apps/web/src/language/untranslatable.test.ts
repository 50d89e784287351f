// @vitest-environment node
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');

/** Attributes that are read or heard. */
const SPOKEN = new Set([
  'alt',
  'aria-label',
  'aria-description',
  'closeLabel',
  'label',
  'placeholder',
  'title',
]);
/** The same in every language. */
const NAMES = /^(?:Mailsweep|[A-Z#?])$/;
const TEXT = /\p{L}/u;

it('no component shows a text outside the macros', () => {
  const files = globSync(join(SOURCES, '**/*.tsx'), { exclude: ['**/*.test.tsx', '**/testing/**'] });
  expect(files.length).toBeGreaterThan(50);
  expect(files.flatMap(findTexts)).toEqual([]);
});

/** Texts in the JSX of a file outside macros. */
const findTexts = (file: string): string[] => {
  const found: string[] = [];
  let macros = 0;
  const report = (text: string) => {
    const words = text.trim();
    if (macros === 0 && TEXT.test(words) && !NAMES.test(words)) found.push(`${file}: ${words}`);
  };
  const isMacro = ({ openingElement: { name } }: { openingElement: { name: object } }) =>
    'name' in name && (name.name === 'Trans' || name.name === 'Plural');
  new Visitor({
    JSXElement: (element) => {
      if (isMacro(element)) macros += 1;
    },
    'JSXElement:exit': (element) => {
      if (isMacro(element)) macros -= 1;
    },
    JSXText: ({ value }) => report(value),
    JSXAttribute: ({ name, value }) => {
      if (SPOKEN.has(String(name.name)) && value?.type === 'Literal') report(String(value.value));
    },
  }).visit(parseSync(file, readFileSync(file, 'utf8')).program);
  return found;
};
