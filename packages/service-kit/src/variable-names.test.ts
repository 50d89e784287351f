import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findSuspectVariables, VARIABLES } from './variables.ts';

const messagesOf = (env: Record<string, string>): string[] => {
  const suspects = findSuspectVariables(env);
  expect(JSON.stringify(suspects)).not.toContain('hunter2');
  return suspects.map(({ message }) => message);
};

test.each([
  ['OAUTH_CLIENT_SECERT', 'OAUTH_CLIENT_SECRET'],
  ['ML_BASE_URI', 'ML_BASE_URL'],
  ['MAILSWEEP_HOM', 'MAILSWEEP_HOME'],
  ['TRUST_PROXY_HOP', 'TRUST_PROXY_HOPS'],
  ['TRUST_PROXY', 'TRUST_PROXY_HOPS'],
  ['ML_TIMEOUT', 'ML_TIMEOUT_MS'],
  ['WEBHOOK_URL', 'WORKFLOW_WEBHOOK_URL'],
  ['redis_url', 'REDIS_URL'],
  ['REDIS_HOST', 'REDIS_URL'],
  ['WORKR_PORT', 'WORKER_PORT'],
])('the misspelled %s is reported with the known name %s and without its value', (variable, name) => {
  expect(messagesOf({ [variable]: 'hunter2' })).toEqual([
    `unknown variable ${variable}: did you mean ${name}?`,
  ]);
});

test.each([
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'OTEL_TRACES_SAMPLER',
  'OTEL_TRACES_SAMPLER_ARG',
  'OTEL_SERVICE_NAME',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SDK_DISABLED',
  'OTEL_BSP_SCHEDULE_DELAY',
])('the variable %s of OpenTelemetry is not reported', (variable) => {
  expect(messagesOf({ [variable]: 'hunter2' })).toEqual([]);
});

test('an unknown variable with our own prefix is reported', () => {
  expect(messagesOf({ MAILSWEEP_COLOUR: 'hunter2' })).toEqual([
    'unknown variable MAILSWEEP_COLOUR: docs/OPERATIONS.md lists all variables',
  ]);
});

test('known variables, empty ones and those of other programs are not reported', () => {
  const ours = Object.fromEntries(VARIABLES.map((name) => [name, 'hunter2']));
  const others = { PATH: 'a', HOST: 'b', PGPORT: 'c', HOSTNAME: 'd', npm_config_registry: 'e' };
  const besides = { ML_TIMEOUT: '1', REDIS_HOST: 'redis', BASE_URL: 'f' };
  const links = { MAILSWEEP_API_SERVICE_PORT: '1', MAILSWEEP_API_PORT_3000_TCP: 'tcp://10.0.0.1:3000' };
  expect(messagesOf({ ...ours, ...others, ...besides, ...links, OAUTH_CLIENT_SECERT: '' })).toEqual([]);
});

test('docs/OPERATIONS.md lists exactly these', () => {
  const text = readFileSync(new URL('../../../docs/OPERATIONS.md', import.meta.url), 'utf8');
  const section = text.slice(text.indexOf('## Set variables'), text.indexOf('## Follow, replay'));
  const names = [...section.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(
    ([, cell = '']) => cell.match(/\w+/g) ?? [],
  );
  expect(names.toSorted()).toEqual(VARIABLES.toSorted());
});
