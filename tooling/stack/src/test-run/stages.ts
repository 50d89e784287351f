/**
 * - `quick`: what `npm test` runs, in a few minutes
 * - `rest`: what a change has to pass beyond `quick`
 * - `all`: both, and the tests that run at night; `npm run verify`
 * - `soak`: an hour of a whole installation
 */
type TestScope = 'quick' | 'all' | 'rest' | 'soak';

const QUICK = [
  ['test:packages', 'typecheck', 'types:repository', 'lint:format', 'lint:openapi'],
  ['test:product'],
];

const REST = [
  ['test:property', 'test:long', 'lint:expressions', 'knip', 'release:dry-run'],
  ['test:rest'],
  ['test:faults'],
  ['test:faults-alone'],
];

/** The tasks of `turbo.json` that a scope runs: stages in their order, of which each has the machine to itself. */
export const STAGES: Readonly<Record<TestScope, readonly (readonly string[])[]>> = {
  quick: QUICK,
  rest: REST,
  all: [...QUICK, ...REST, ['test:nightly']],
  soak: [['test:soak']],
};
