import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { expect, it } from 'vitest';
import { theme } from './theme.ts';

type Variables = Record<string, string>;

/** Colours of the library that the app does not use. */
const OTHER_COLOURS = /^--mantine-color-(pink|grape|violet|indigo|blue|cyan|teal|green|lime|yellow|orange)-/;

const toRule = (selector: string, variables: Variables, defaults: Variables): string => {
  const lines = Object.entries(variables)
    .filter(([name, value]) => defaults[name] !== value && !OTHER_COLOURS.test(name))
    .map(([name, value]) => `  ${name}: ${value};\n`);
  return lines.length === 0 ? '' : `${selector} {\n${lines.join('')}}\n`;
};

it('is in the style sheet as the library would write it into the page (otherwise run: vitest -u)', async () => {
  const defaults = defaultCssVariablesResolver(DEFAULT_THEME);
  const ours = defaultCssVariablesResolver(mergeMantineTheme(DEFAULT_THEME, theme));
  const rules = [
    toRule(':root', ours.variables, defaults.variables),
    toRule(':root[data-mantine-color-scheme="dark"]', ours.dark, defaults.dark),
    toRule(':root[data-mantine-color-scheme="light"]', ours.light, defaults.light),
  ];
  await expect(rules.join('')).toMatchFileSnapshot('./styles/theme.css');
});
