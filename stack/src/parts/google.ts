import { join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import { answersAt } from '../supervision/readiness.ts';
import type { Part } from '../supervision/supervisor.ts';
import type { StackPlan } from './stack-plan.ts';

/** The Google sandbox; none when there is a real client. */
export const createGooglePart = (plan: StackPlan): Part | null => {
  const { google, sandboxClients } = plan.config.given;
  if (google !== undefined) return null;
  const { clientId, clientSecret, tokenKey } = plan.sandbox;
  const ownClient = { clientId, clientSecret, name: 'Mailsweep', redirectUris: [plan.redirectUri] };
  return {
    name: 'google',
    title: 'Google sandbox',
    command: {
      module: join(REPOSITORY, 'packages/google-sandbox/src/main.ts'),
      env: {
        ...plan.environment,
        PORT: String(plan.ports.google),
        SANDBOX_OAUTH_CLIENTS: JSON.stringify([ownClient, ...sandboxClients]),
        SANDBOX_TOKEN_KEY: tokenKey,
        SANDBOX_CHANGES_FILE: plan.folder.mailboxChangesFile,
      },
    },
    isReady: () => answersAt(`${plan.addresses.google}/sandbox/health`),
    startTimeoutMs: 30_000,
    stopTimeoutMs: 1_000,
  };
};
