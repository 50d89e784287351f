import { readFileSync } from 'node:fs';
import { closestMatch } from 'leven';
import names from './variables.json' with { type: 'json' };

type Environment = Record<string, string | undefined>;

/** Variables that may come from a file, named by the variable with `_FILE` at its end. */
const SECRET_VARIABLES = names.secrets;

/** The names under which files are named. */
export const FILE_VARIABLES = SECRET_VARIABLES.map((name) => `${name}_FILE`);

/**
 * Adds what the files of `<NAME>_FILE` hold, as Docker and Kubernetes mount secrets; line breaks at their ends don't
 * count.
 *
 * @returns the variables, and the errors, each with the name of its variable and without any content
 */
export const readSecretFiles = (env: Environment): { env: Environment; issues: ConfigIssue[] } => {
  const complete = { ...env };
  const issues: ConfigIssue[] = [];
  for (const name of SECRET_VARIABLES) {
    const file = env[`${name}_FILE`];
    if (!file) continue;
    if (env[name]) {
      issues.push({ variable: `${name}_FILE`, message: `must not be set beside ${name}` });
      continue;
    }
    try {
      complete[name] = readFileSync(file, 'utf8').replace(/(?<![\r\n])[\r\n]+$/, '');
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? error.code : 'unknown error';
      issues.push({ variable: `${name}_FILE`, message: `names a file that can’t be read (${reason})` });
    }
  }
  return { env: complete, issues };
};

/** What is wrong with a variable, such as "is required"; never its value. */
export interface ConfigIssue {
  variable: string;
  message: string;
}

/** The configuration is missing something or holds something malformed; the message names every error. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly code = 'invalid_configuration';
  readonly issues: readonly ConfigIssue[];

  constructor(message: string, issues: readonly ConfigIssue[] = []) {
    super(message);
    this.issues = issues;
  }
}

export const toConfigError = (issues: readonly ConfigIssue[]): ConfigError => {
  const lines = issues.map(({ variable, message }) => `  ${variable}: ${message}`);
  return new ConfigError(`The configuration has ${issues.length} error(s):\n${lines.join('\n')}`, issues);
};

/** Every variable of API, worker, classification service, web server and `npm start`: they may share one `.env`. */
export const VARIABLES = names.variables;

const KNOWN = [...VARIABLES, ...FILE_VARIABLES];
/** Shorter names of other programs are near by chance. */
const LONG = KNOWN.filter(({ length }) => length >= 9);

/** What other programs call the same. */
const FOREIGN_NAMES = new Map(Object.entries(names.foreignNames));

const OWN_PREFIX = 'MAILSWEEP_';
/** Kubernetes sets these for a service whose name begins with ours. */
const SERVICE_LINK = /_SERVICE_HOST$|_PORT$|_PORT_/;
const MAX_DISTANCE = 2;

interface SuspectVariable {
  variable: string;
  message: string;
  /** The known name that this one is close to. */
  didYouMean?: string;
}

/** Whether the words of one name, so many at least, are at the beginning or the end of another's. */
const isPartOf = (part: string, whole: string, fewestWords: number): boolean =>
  part.split('_').length >= fewestWords && (whole.startsWith(`${part}_`) || whole.endsWith(`_${part}`));

/** The one known name that a name was probably meant to be. */
const findMeant = (variable: string, isSet: (name: string) => boolean): string | undefined => {
  const name = variable.toUpperCase().replaceAll(/[-.]/g, '_');
  if (name !== variable && KNOWN.includes(name)) return name;
  const misspelled = closestMatch(variable, LONG, { maxDistance: MAX_DISTANCE });
  if (misspelled !== undefined) return misspelled;
  if (SERVICE_LINK.test(variable)) return undefined;
  const foreign = FOREIGN_NAMES.get(name);
  const similar = foreign
    ? [foreign]
    : VARIABLES.filter((known) => isPartOf(name, known, 2) || isPartOf(known, name, 3));
  const [meant] = similar;
  // Beside the right one, such a name belongs to another program.
  return similar.length === 1 && meant !== undefined && !isSet(meant) && !isSet(`${meant}_FILE`)
    ? meant
    : undefined;
};

/** Finds unknown variables that look like a mistake. Values are never part of it. */
export const findSuspectVariables = (env: Environment): SuspectVariable[] =>
  Object.keys(env)
    .filter((variable) => env[variable] && !KNOWN.includes(variable))
    .flatMap((variable) => {
      const didYouMean = findMeant(variable, (name) => Boolean(env[name]));
      if (didYouMean !== undefined)
        return { variable, didYouMean, message: `unknown variable ${variable}: did you mean ${didYouMean}?` };
      return variable.startsWith(OWN_PREFIX) && !SERVICE_LINK.test(variable)
        ? { variable, message: `unknown variable ${variable}: docs/OPERATIONS.md lists all variables` }
        : [];
    });

/** Variables that API, worker and doctor must share; addresses of the database may differ by role. */
const SHARED_VARIABLES = VARIABLES.filter(
  (name) =>
    !/^(DATABASE_URL|DB_|PORT|OPERATIONS_|WORKER_PORT|INTERNAL_HOST|LOG_LEVEL|MAILSWEEP_HOME|API_ORIGIN|SANDBOX_)/.test(
      name,
    ),
);

export const pickSharedVariables = (env: Environment): Record<string, string> =>
  Object.fromEntries(
    SHARED_VARIABLES.flatMap((name) => {
      const value = env[name];
      return value ? [[name, value]] : [];
    }),
  );
