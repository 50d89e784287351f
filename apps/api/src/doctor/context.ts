import { type Database, missingDatabaseVariables, openDatabase, toDatabaseUrl } from '@mailsweep/database';
import { type ConfigIssue, readSecretFiles } from '@mailsweep/service-kit';
import { workerVariables } from '@mailsweep/worker/config';
import { z } from 'zod';
import { apiVariables } from '../config.ts';

const CONNECT_TIMEOUT_MS = 4_000;
const variables = { ...workerVariables, ...apiVariables };
const VariablesSchema = z.object(variables);

export type Environment = Record<string, string | undefined>;
/** The variables of API and worker that are well-formed; the others are undefined. */
type Values = Partial<z.output<typeof VariablesSchema>>;

/** What checks look at. */
export interface DoctorContext {
  /** An empty variable counts as absent; secrets that are in files are there like the others. */
  env: Environment;
  /** What is wrong with the files of secrets. */
  fileIssues: readonly ConfigIssue[];
  values: Values;
  /** Where the database is; undefined where the variables do not say. */
  databaseUrl: string | undefined;
  /** Connects at its first use. */
  database: Database;
  /** Variables for which `npm start` has its own values where they are not set; empty elsewhere. */
  provided: ReadonlySet<string>;
}

/** Some variables may be wrong without the others being lost. */
const readValues = (env: Environment): Values =>
  Object.fromEntries(
    Object.entries(variables).map(([name, schema]) => [name, schema.safeParse(env[name]).data]),
  );

export const createContext = (given: Environment, provided: readonly string[] = []): DoctorContext => {
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
      connectTimeoutMs: CONNECT_TIMEOUT_MS,
      applicationName: 'mailsweep doctor',
    }),
    provided: new Set(provided.filter((name) => env[name] === undefined)),
  };
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
