import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, parseEnv } from 'node:util';
import { GMAIL_BASE_URL } from '@mailsweep/mail/gmail/protocol';
import { providerVariables } from '@mailsweep/mail/provider-connection';
import { HttpUrlSchema, parseConfig } from '@mailsweep/service-kit';
import { z } from 'zod';
import { LiveCheckError } from './testing/sign-in.ts';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));
/** What the product changes in one batch at most. */
const MOST_MESSAGES = 1_000;
const FEWEST_MESSAGES = 10;

const EnvironmentSchema = z.object({
  ...providerVariables,
  OAUTH_CLIENT_ID: z.string().min(1),
  OAUTH_CLIENT_SECRET: z.string().min(1),
  OAUTH_REDIRECT_URI: HttpUrlSchema.default('http://localhost:3000/auth/idp/callback'),
  GMAIL_BASE_URL: HttpUrlSchema.default(GMAIL_BASE_URL),
});

const USAGE = `npm run live-check -- [--messages <${FEWEST_MESSAGES} to ${MOST_MESSAGES}>] [--yes] [--clean]`;

/**
 * Reads command line and environment; `.env` counts where the environment says nothing.
 *
 * @throws {LiveCheckError} for arguments that make no sense
 * @throws ConfigError naming every variable that is missing or malformed
 */
export const readCommand = (words: string[]) => {
  const { values } = readArguments(words);
  const messages = Number(values.messages);
  if (!Number.isInteger(messages) || messages < FEWEST_MESSAGES || messages > MOST_MESSAGES) {
    throw new LiveCheckError(`Usage: ${USAGE}`);
  }
  const file = join(REPOSITORY, '.env');
  const kept = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  const variables = parseConfig(EnvironmentSchema, { ...kept, ...process.env });
  return {
    messages,
    /** Asks no questions; what only the owner can see stays unknown. */
    isUnattended: values.yes,
    /** Only takes away what earlier runs have left. */
    isCleanOnly: values.clean,
    issuer: variables.OAUTH_ISSUER,
    clientId: variables.OAUTH_CLIENT_ID,
    clientSecret: variables.OAUTH_CLIENT_SECRET,
    redirectUri: variables.OAUTH_REDIRECT_URI,
    gmailUrl: variables.GMAIL_BASE_URL.replace(/\/$/, ''),
  };
};

const readArguments = (words: string[]) => {
  try {
    return parseArgs({
      args: words,
      options: {
        messages: { type: 'string', default: String(MOST_MESSAGES) },
        yes: { type: 'boolean', default: false },
        clean: { type: 'boolean', default: false },
      },
    });
  } catch {
    throw new LiveCheckError(`Usage: ${USAGE}`);
  }
};
