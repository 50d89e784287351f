import { readSettings, type SandboxSettings, startGoogleSandbox } from '@mailsweep/google-sandbox';
import { respondsAt } from '../supervision/readiness.ts';
import type { HostedPart } from '../supervision/supervisor.ts';
import type { StackPlan } from './stack-plan.ts';

/**
 * What the sandbox is started with: the stack's client beside those that are given, and the environment's settings.
 *
 * @throws ConfigError naming every variable that is malformed
 */
export const toSandboxSettings = ({
  config,
  folder,
  ports,
  environment,
  ...plan
}: StackPlan): SandboxSettings => {
  const { clientId, clientSecret, tokenKey } = plan.sandbox;
  const ownClient = { clientId, clientSecret, name: 'Mailsweep', redirectUris: [plan.redirectUri] };
  const given = {
    PORT: String(ports.google),
    SANDBOX_OAUTH_CLIENTS: JSON.stringify([ownClient, ...config.given.sandboxClients]),
    SANDBOX_TOKEN_KEY: tokenKey,
    SANDBOX_CHANGES_FILE: folder.mailboxChangesFile,
  };
  return readSettings(given, environment);
};

/** The Google sandbox; none when there is a real client. */
export const createGooglePart = (plan: StackPlan): HostedPart | null => {
  if (plan.config.given.google !== undefined) return null;
  const settings = toSandboxSettings(plan);
  return {
    name: 'google',
    title: 'Google sandbox',
    open: () => startGoogleSandbox(settings),
    isReady: () => respondsAt(`${plan.addresses.google}/sandbox/health`),
    startTimeoutMs: 30_000,
    stopTimeoutMs: 1_000,
  };
};
