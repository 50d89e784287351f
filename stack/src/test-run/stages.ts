/**
 * - `quick`: what `npm test` runs, in a few minutes
 * - `all`: everything, `npm run verify`
 * - `rest`: what `all` has beyond `quick`
 */
export type TestScope = 'quick' | 'all' | 'rest';

const QUICK = [
  [
    'test',
    'test:repository',
    'typecheck',
    'types:repository',
    'lint:format',
    'lint:expressions',
    'lint:openapi',
  ],
  // Tests of the whole product wait more than they work, and none of their limits is closer than seconds.
  ['test:quick', 'test:quick-faults'],
];

const REST = [
  ['test:property', 'test:long', 'knip', 'release:dry-run'],
  ['test:rest'],
  ['test:faults'],
  ['test:faults-alone'],
];

/** The tasks of `turbo.json` that a scope runs: stages in their order, of which each has the machine to itself. */
export const STAGES: Readonly<Record<TestScope, readonly (readonly string[])[]>> = {
  quick: QUICK,
  rest: REST,
  all: [...QUICK, ...REST],
};
