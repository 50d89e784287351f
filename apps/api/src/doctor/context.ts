import { type Database, missingDatabaseVariables, openDatabase, toDatabaseUrl } from '@mailsweep/database';
import { type ConfigIssue, deliveryVariables, readSecretFiles } from '@mailsweep/service-kit';
import { z } from 'zod';
import { apiVariables } from '../config.ts';

/** What a check needs to say that something took too long, and Prisma besides, in milliseconds. */
const MARGIN_MS = 500;
const CONNECT_MARGIN_MS = 1_500;
export const doctorVariables = { ...deliveryVariables, ...apiVariables };
const VariablesSchema = z.object(doctorVariables);

export type Environment = Record<string, string | undefined>;
/** The variables of API and worker that are well-formed; the others are undefined. */
type Values = Partial<z.output<typeof VariablesSchema>>;

export interface DoctorContext {
  /** An empty variable counts as absent; secrets that are in files are there like the others. */
  env: Environment;
  fileIssues: readonly ConfigIssue[];
  values: Values;
  /** Where the database is; undefined where the variables do not say. */
  databaseUrl: string | undefined;
  /** Connects at its first use. */
  database: Database;
  /** Variables for which `npm start` has its own values where they are not set; empty elsewhere. */
  provided: ReadonlySet<string>;
  /** How long a call may take, in milliseconds: all checks have to end at the same time. */
  leftMs(): number;
}

/** Some variables may be wrong without the others being lost. */
const readValues = (env: Environment): Values =>
  Object.fromEntries(
    Object.entries(doctorVariables).map(([name, schema]) => [name, schema.safeParse(env[name]).data]),
  );

/** @param timeoutMs - how long all checks may take */
export const createContext = (
  given: Environment,
  provided: readonly string[],
  timeoutMs: number,
): DoctorContext => {
  const endsAtMs = performance.now() + timeoutMs - MARGIN_MS;
  const { env: complete, issues: fileIssues } = readSecretFiles(given);
  const env = Object.fromEntries(Object.entries(complete).filter(([, value]) => value));
  const values = readValues(env);
  const { DB_PORT = 5432, DB_PASSWORD = '' } = values;
  const database = { ...values, DB_PORT, DB_PASSWORD };
  const isKnown = missingDatabaseVariables(database).length === 0;
  const databaseUrl = isKnown ? toDatabaseUrl(database) : undefined;
  return {
    env,
    fileIssues,
    values,
    databaseUrl,
    // Never used without an address: what needs the database needs the check of that name.
    database: openDatabase({
      databaseUrl: databaseUrl ?? 'postgresql://unknown',
      poolSize: 2,
      connectTimeoutMs: timeoutMs - CONNECT_MARGIN_MS,
      applicationName: 'mailsweep doctor',
    }),
    provided: new Set(provided.filter((name) => env[name] === undefined)),
    leftMs: () => Math.max(Math.round(endsAtMs - performance.now()), 1),
  };
};

/** A check cannot run without a variable. */
export class MissingVariableError extends Error {
  override readonly name = 'MissingVariableError';
}

/**
 * The value of a variable.
 *
 * @throws {MissingVariableError} which ends the check as skipped, for one that is not set or malformed
 */
export const need = <N extends keyof Values>(context: DoctorContext, variable: N): NonNullable<Values[N]> => {
  const value = context.values[variable];
  if (value === undefined || value === null)
    throw new MissingVariableError(explainMissing(context, variable));
  return value;
};

/** Why a check that needs a variable cannot run. */
export const explainMissing = ({ env, provided }: DoctorContext, variable: string): string => {
  if (provided.has(variable))
    return `${variable} is not set: npm start brings its own, and it does not run now.`;
  return env[variable] === undefined ? `${variable} is not set.` : `${variable} is malformed.`;
};

/** The variable to change, by what the database said of the others. */
export const databaseVariable = ({ env }: DoctorContext, reason = ''): string => {
  if (env.DATABASE_URL !== undefined || env.DB_HOST === undefined) return 'DATABASE_URL';
  if (/password|authentication/i.test(reason)) return 'DB_PASSWORD';
  return /^database .* does not exist/i.test(reason) ? 'DB_NAME' : 'DB_HOST';
};
