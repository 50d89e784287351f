import { readFileSync } from 'node:fs';

import type { ConfigIssue } from './config-error.ts';

type Environment = Record<string, string | undefined>;

/** Variables that may come from a file, named by the variable with `_FILE` at its end. */
const SECRET_VARIABLES = [
  'DATABASE_URL',
  'DB_PASSWORD',
  'INTERNAL_JWT_SECRET',
  'JMAP_PROVIDERS',
  'OAUTH_CLIENT_SECRET',
  'OPERATIONS_PASSWORD',
  'REDIS_URL',
  'TOKEN_ENCRYPTION_KEY',
  'TOKEN_ENCRYPTION_KEY_PREVIOUS',
  'VAPID_PRIVATE_KEY',
  'WEBHOOK_SIGNING_SECRET',
  'WEBHOOK_SIGNING_SECRET_PREVIOUS',
  'WORKFLOW_WEBHOOK_URL',
];

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
