import process from 'node:process';

interface Area {
  folders: readonly string[];
  /** Tests elsewhere that prove what the area does. */
  testsElsewhere?: readonly string[];
  /** When a test that a mutant made hang is taken for failed, in milliseconds. */
  testTimeoutMs: number;
}

/** The code whose mistakes cost people mail or privacy. Its own tests judge its mutants. */
const AREAS: Record<string, Area> = {
  core: {
    folders: ['packages/core/src'],
    testsElsewhere: ['apps/api/src/routes/*.int.test.ts'],
    testTimeoutMs: 10_000,
  },
  // Its tests wait for workers that died to be missed.
  'event-bus': { folders: ['packages/event-bus/src'], testTimeoutMs: 30_000 },
  'ml-client': { folders: ['packages/ml-client/src'], testTimeoutMs: 10_000 },
  auth: {
    folders: ['apps/api/src/auth', 'packages/provider-connection/src'],
    testsElsewhere: ['apps/api/src/reencrypt-command.int.test.ts', 'apps/api/src/privacy.int.test.ts'],
    testTimeoutMs: 10_000,
  },
};

/** The area that `MUTATION_AREA` names, else the one that is done soonest. */
export const readArea = (): Area & { name: string } => {
  const name = process.env.MUTATION_AREA ?? 'ml-client';
  const area = AREAS[name];
  if (area === undefined) throw new Error(`MUTATION_AREA is to be one of ${Object.keys(AREAS).join(', ')}`);
  return { name, ...area };
};
