import process from 'node:process';

interface Area {
  folders: readonly string[];
  /** Tests elsewhere that prove what the area does. */
  testsElsewhere?: readonly string[];
}

/** The code whose mistakes cost people mail or privacy. Its own tests judge its mutants. */
const AREAS: Record<string, Area> = {
  core: {
    folders: ['packages/core/src'],
    testsElsewhere: ['apps/api/src/routes/**/*.int.test.ts'],
  },
  'message-cache': {
    folders: ['packages/mail/src/message-cache'],
    testsElsewhere: ['apps/api/src/commands/reencrypt-command.int.test.ts'],
  },
  'event-bus': {
    folders: ['packages/event-bus/src', 'packages/service-kit/src/background'],
    testsElsewhere: ['apps/worker/src/{commands,events}/webhook-*.int.test.ts'],
  },
  gmail: {
    folders: ['packages/mail/src/gmail'],
    testsElsewhere: [
      'packages/core/src/message-cache/{labels-before,late-history,message-cache}.int.test.ts',
    ],
  },
  jmap: { folders: ['packages/mail/src/jmap'] },
  'ml-client': { folders: ['packages/ml-client/src'] },
  auth: {
    folders: ['apps/api/src/auth', 'packages/mail/src/provider-connection'],
    testsElsewhere: [
      'apps/api/src/commands/reencrypt-command.int.test.ts',
      'apps/api/src/privacy.int.test.ts',
      'apps/api/src/routes/account/account.int.test.ts',
    ],
  },
};

/**
 * The area that `MUTATION_AREA` names, else the one that is done soonest, and the tests that judge it: all, unless
 * `MUTATION_TESTS` names some. Fewer can only notice fewer mutants.
 */
export const readArea = (): { name: string; folders: readonly string[]; tests: string[] } => {
  const { MUTATION_AREA: name = 'ml-client', MUTATION_TESTS: named } = process.env;
  const area = AREAS[name];
  if (area === undefined) throw new Error(`MUTATION_AREA is to be one of ${Object.keys(AREAS).join(', ')}`);
  const { folders, testsElsewhere = [] } = area;
  const all = [...folders.map((folder) => `${folder}/**/*.test.ts`), ...testsElsewhere];
  return { name, folders, tests: named?.split(' ') ?? all };
};
