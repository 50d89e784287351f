import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import {
  type ApiDocument,
  describeBreakingChange,
  findBreakingChanges,
  isNewMajorVersion,
} from '../src/openapi/compatibility/breaking-changes.ts';
import { readReleasedDocument } from '../src/openapi/compatibility/released-document.ts';
import { createOpenApiDocument } from '../src/openapi/document.ts';

/** Operations that only redirect have no 2xx response. */
const EXCEPTIONS = new Set([
  'operation-2xx-response #/paths/~1auth~1idp/get/responses',
  'operation-2xx-response #/paths/~1auth~1idp~1callback/get/responses',
  'operation-2xx-response #/paths/~1oauth~1authorize/get/responses',
]);

const CHANGELOG = new URL('../../../docs/API-CHANGELOG.md', import.meta.url);

const source = JSON.stringify(createOpenApiDocument());
const present: ApiDocument = JSON.parse(source);
const released = readReleasedDocument();

/** Every client of the last release must go on working, unless this is another major version. */
const compareWithRelease = (): string[] =>
  isNewMajorVersion(released, present)
    ? []
    : findBreakingChanges(released, present).map(describeBreakingChange);

/** Operations that are new or deprecated since the last release, and that the changelog does not name. */
const compareWithChangelog = (): string[] => {
  const [, unreleased = ''] = readFileSync(CHANGELOG, 'utf8').split(/^## /m);
  return Object.entries(present.paths)
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method, { deprecated }]) => {
          const before = released.paths[path]?.[method];
          return before === undefined || deprecated !== before.deprecated;
        })
        .map(([method]) => `${method.toUpperCase()} ${path}`),
    )
    .filter((operation) => !unreleased.includes(`\`${operation}\``))
    .map((operation) => `docs/API-CHANGELOG.md does not name \`${operation}\``);
};

const lintWithRedocly = async (): Promise<string[]> => {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
  return problems
    .map(({ ruleId, message, location }) => ({ rule: `${ruleId} ${location[0]?.pointer ?? ''}`, message }))
    .filter(({ rule }) => !EXCEPTIONS.has(rule))
    .map(({ rule, message }) => `redocly ${rule}: ${message}`);
};

/** The rule knows only the scopes of OAuth; from OpenAPI 3.1 on, requirements of a bearer scheme may name roles. */
const isAboutRoles = ({ code, path }: { code: string | number; path: (string | number)[] }): boolean =>
  code === 'oas3-operation-security-defined' && path.at(-2) === 'personalToken';

const lintWithSpectral = async (): Promise<string[]> => {
  const linter = new spectral.Spectral();
  // The package declares a type for its ruleset that its own parameter does not accept.
  linter.setRuleset({ extends: [rulesets.oas as unknown as RulesetDefinition] });
  const problems = await linter.run(source);
  return problems
    .filter((problem) => !isAboutRoles(problem))
    .map(({ code, path, message }) => `spectral ${code} ${path.join('.')}: ${message}`);
};

const problems = [
  ...(await lintWithRedocly()),
  ...(await lintWithSpectral()),
  ...compareWithRelease(),
  ...compareWithChangelog(),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`OpenAPI document: ${problems.length} problems\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
