import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { readSettings, type SandboxSettings, startGoogleSandbox } from '@mailsweep/google-sandbox';
import { listen, listenOnLoopback, loopbackUrl } from '@mailsweep/service-kit';
import { createWebApp } from '@mailsweep/web/server';
import { REPOSITORY } from '../repository.ts';
import type { PartCommand } from '../supervision/part-process.ts';
import type { HostedPart, Part, ProcessPart } from '../supervision/supervisor.ts';
import { createWebhookInbox } from '../webhook-inbox/create-webhook-inbox.ts';
import { type StackPlan, toBackendEnvironment, toPushEnvironment } from './stack-plan.ts';

const RESPONSE_TIMEOUT_MS = 2_000;

const respondsAt = async (...urls: string[]): Promise<boolean> => {
  for (const url of urls) {
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
      await response.body?.cancel();
      if (!response.ok) return false;
    } catch {
      // Not listening yet.
      return false;
    }
  }
  return true;
};

/** The reference classification service; none when the address of another is given. */
export const createMlPart = (plan: StackPlan): ProcessPart | null => {
  if (plan.config.given.mlBaseUrl !== undefined) return null;
  return {
    name: 'ml',
    title: 'ML service',
    command: {
      module: join(REPOSITORY, 'apps/ml/src/main.ts'),
      isWatched: plan.config.isDev,
      env: {
        ...plan.environment,
        PORT: String(plan.ports.ml),
        INTERNAL_JWT_SECRET: plan.internalJwtSecret,
      },
    },
    isReady: () => respondsAt(`${plan.addresses.ml}/health`),
    startTimeoutMs: plan.config.isDev ? Number.POSITIVE_INFINITY : 30_000,
    stopTimeoutMs: 1_000,
  };
};

export const createWorkerPart = (plan: StackPlan): ProcessPart => ({
  name: 'worker',
  title: 'Worker',
  command: {
    module: join(REPOSITORY, 'apps/worker/src/main.ts'),
    isWatched: plan.config.isDev,
    env: {
      ...plan.environment,
      ...toBackendEnvironment(plan),
      ...toPushEnvironment(plan),
      WORKER_PORT: String(plan.ports.worker),
    },
  },
  isReady: () => respondsAt(`${loopbackUrl(plan.ports.worker)}/ready`),
  startTimeoutMs: plan.config.isDev ? Number.POSITIVE_INFINITY : 60_000,
  stopTimeoutMs: 3_000,
});

/** The substitute for a workflow service; none when the address of a real one is given. */
export const createWebhookInboxPart = (plan: StackPlan): HostedPart | null => {
  if (plan.addresses.webhookInbox === null) return null;
  return {
    name: 'webhookInbox',
    title: 'Webhook inbox',
    open: () =>
      listenOnLoopback(
        createWebhookInbox({ signingSecret: plan.webhookSigningSecret }),
        plan.ports.webhookInbox,
      ),
    isReady: () => respondsAt(`${plan.addresses.webhookInbox}/health`),
    startTimeoutMs: 30_000,
    stopTimeoutMs: 1_000,
  };
};

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
    ...(plan.addresses.setup && { SANDBOX_SETUP_URL: plan.addresses.setup }),
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

const WEB_DIR = join(REPOSITORY, 'apps/web');
const BUILT_DIR = join(WEB_DIR, 'dist');

/** Whether there is a web app to serve: built, unless it is built while it runs. */
export const hasWebApp = ({ isDev }: { isDev: boolean }): boolean =>
  existsSync(isDev ? join(WEB_DIR, 'vite.config.ts') : join(BUILT_DIR, 'index.html'));

/** The browser app: as it was built, or with hot reload in a process of its own. */
export const createWebPart = (plan: StackPlan): Part | null => {
  const { web, api } = plan.addresses;
  if (web === null) return null;
  const port = plan.ports.web;
  const part = {
    name: 'web',
    title: 'Web app',
    isReady: () => respondsAt(`${web}/`),
    startTimeoutMs: 60_000,
    stopTimeoutMs: 1_000,
  } as const;
  return plan.config.isDev
    ? { ...part, command: toDevCommand(plan, port, api) }
    : { ...part, open: () => listen({ app: createWebApp({ directory: BUILT_DIR, apiOrigin: api }), port }) };
};

const toDevCommand = (plan: StackPlan, port: number, api: string): PartCommand => {
  const manifest = createRequire(join(WEB_DIR, 'package.json')).resolve('vite/package.json');
  return {
    module: join(dirname(manifest), 'bin/vite.js'),
    arguments: ['--port', String(port), '--strictPort'],
    cwd: WEB_DIR,
    env: { ...plan.environment, PORT: String(port), API_ORIGIN: api },
  };
};

export const createApiPart = (plan: StackPlan): ProcessPart => {
  const { addresses, config } = plan;
  // The port that the stack was asked for is the API's, and so is its second one.
  const { PORT_HTTP } = config.environment;
  return {
    name: 'api',
    title: 'API',
    command: {
      module: join(REPOSITORY, 'apps/api/src/main.ts'),
      isWatched: plan.config.isDev,
      env: {
        ...plan.environment,
        ...toBackendEnvironment(plan),
        PORT: String(plan.ports.api),
        ...(PORT_HTTP === undefined ? {} : { PORT_HTTP }),
        ...(plan.vapidKeys && { VAPID_PUBLIC_KEY: plan.vapidKeys.publicKey }),
        OAUTH_REDIRECT_URI: plan.redirectUri,
        FRONTEND_ORIGIN: plan.frontendOrigin,
      },
    },
    isReady: () => respondsAt(`${addresses.api}/api/v1/health`, `${addresses.api}/api/v1/health/db`),
    startTimeoutMs: plan.config.isDev ? Number.POSITIVE_INFINITY : 60_000,
    // With OPERATIONS_PORT it serves on for three seconds.
    stopTimeoutMs: 6_000,
  };
};
