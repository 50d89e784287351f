import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import {
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
]);

const source = JSON.stringify(createOpenApiDocument());

/** Every client of the last release must go on working, unless this is another major version. */
const compareWithRelease = (): string[] => {
  const released = readReleasedDocument();
  const present = JSON.parse(source);
  return isNewMajorVersion(released, present)
    ? []
    : findBreakingChanges(released, present).map(describeBreakingChange);
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

const problems = [...(await lintWithRedocly()), ...(await lintWithSpectral()), ...compareWithRelease()];
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.stdout.write(`OpenAPI document: ${problems.length} problems\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
