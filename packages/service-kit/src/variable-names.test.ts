import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { VARIABLES, warnOfVariables } from './variable-names.ts';

const warningsOf = (env: Record<string, string>): string[] => {
  const warn = vi.fn();
  warnOfVariables({ warn }, env);
  expect(JSON.stringify(warn.mock.calls)).not.toContain('hunter2');
  return warn.mock.calls.map(([, message]) => message);
};

test.each([
  ['OAUTH_CLIENT_SECERT', 'OAUTH_CLIENT_SECRET'],
  ['ML_BASE_URI', 'ML_BASE_URL'],
  ['MAILSWEEP_HOM', 'MAILSWEEP_HOME'],
  ['TRUST_PROXY_HOP', 'TRUST_PROXY_HOPS'],
])('the slip %s is told, with the right name %s and without its value', (slip, name) => {
  expect(warningsOf({ [slip]: 'hunter2' })).toEqual([`unknown variable ${slip}: did you mean ${name}?`]);
});

test('a variable that was there before is told', () => {
  expect(warningsOf({ SCAN_CONCURRENCY: 'hunter2' })).toEqual([
    'the variable SCAN_CONCURRENCY is no longer used: remove it',
  ]);
});

test('an unknown variable with our own prefix is told', () => {
  expect(warningsOf({ MAILSWEEP_COLOUR: 'hunter2' })).toEqual([
    'unknown variable MAILSWEEP_COLOUR: docs/OPERATIONS.md lists those that there are',
  ]);
});

test('nothing is told of our own variables, empty ones, and those of others', () => {
  const ours = Object.fromEntries(VARIABLES.map((name) => [name, 'hunter2']));
  const others = { PATH: 'a', HOST: 'b', PGPORT: 'c', HOSTNAME: 'd', npm_config_registry: 'e' };
  const links = { MAILSWEEP_API_SERVICE_PORT: '1', MAILSWEEP_API_PORT_3000_TCP: 'tcp://10.0.0.1:3000' };
  expect(warningsOf({ ...ours, ...others, ...links, OAUTH_CLIENT_SECERT: '' })).toEqual([]);
});

test('docs/OPERATIONS.md lists exactly these', () => {
  const text = readFileSync(new URL('../../../docs/OPERATIONS.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('## Set variables'), text.indexOf('## Follow, replay'));
  const names = [...section.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/\w+/g) ?? [],
  );
  expect(names.toSorted()).toEqual(VARIABLES.toSorted());
});
