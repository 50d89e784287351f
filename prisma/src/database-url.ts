import { z } from 'zod';

/** Port that Postgres listens on when DB_PORT is left out. */
const DEFAULT_POSTGRES_PORT = 5432;

const DatabaseUrlSchema = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgresql:// connection string',
});

/** The variables that say where the database is; `DATABASE_URL` takes precedence over the others. */
export const databaseVariables = {
  DATABASE_URL: DatabaseUrlSchema.optional(),
  DB_HOST: z.string().min(1).optional(),
  DB_PORT: z.coerce.number().int().min(1).max(65_535).default(DEFAULT_POSTGRES_PORT),
  DB_USER: z.string().min(1).optional(),
  DB_PASSWORD: z.string().default(''),
  DB_NAME: z.string().min(1).optional(),
};

type DatabaseVariables = z.infer<z.ZodObject<typeof databaseVariables>>;

/**
 * Adds to a schema with {@link databaseVariables} that they have to describe a database. What is missing is
 * reported together with all other errors, not after them.
 */
export const requireDatabase = <T extends z.ZodType<DatabaseVariables>>(schema: T): T =>
  schema.superRefine(
    (variables, context) => {
      for (const name of missingDatabaseVariables(variables)) {
        context.addIssue({ code: 'custom', path: [name], message: 'is required' });
      }
    },
    { when: () => true },
  );

/** Names of the variables still missing for a connection string; empty when there are enough. */
export const missingDatabaseVariables = (env: DatabaseVariables): string[] => {
  if (env.DATABASE_URL !== undefined) return [];
  const given = { DB_HOST: env.DB_HOST, DB_USER: env.DB_USER, DB_NAME: env.DB_NAME };
  if (Object.values(given).every((value) => value === undefined)) return ['DATABASE_URL'];
  return Object.entries(given)
    .filter(([, value]) => value === undefined)
    .map(([name]) => name);
};

/** The connection string that the variables describe. Call it once {@link missingDatabaseVariables} is empty. */
export const toDatabaseUrl = (env: DatabaseVariables): string => {
  if (env.DATABASE_URL !== undefined) return env.DATABASE_URL;
  const url = new URL(`postgresql://${env.DB_HOST}:${env.DB_PORT}`);
  url.username = encodeURIComponent(env.DB_USER ?? '');
  url.password = encodeURIComponent(env.DB_PASSWORD);
  url.pathname = encodeURIComponent(env.DB_NAME ?? '');
  return url.href;
};
