import { listenOnLoopback, loopbackUrl } from '@mailsweep/service-kit';
import type { SandboxSettings } from './config.ts';
import { createGoogleSandbox } from './create-google-sandbox.ts';
import { seedMailboxes, toCopiedMailbox, toLargeMailbox } from './seed/seed-mailboxes.ts';

export interface RunningSandbox {
  url: string;
  close(): Promise<void>;
}

/** Starts a sandbox with lifelike mailboxes on a port that only this machine reaches. */
export const startGoogleSandbox = async (settings: SandboxSettings): Promise<RunningSandbox> => {
  const seeds = {
    accounts: settings.SANDBOX_ACCOUNTS,
    unsubscribeOrigin: settings.SANDBOX_UNSUBSCRIBE_ORIGIN,
  };
  const sandbox = createGoogleSandbox({
    publicUrl: loopbackUrl(settings.PORT),
    clients: settings.SANDBOX_OAUTH_CLIENTS,
    seedMailboxes: (seededAtMs) => seedMailboxes(seededAtMs, seeds),
    lateMailbox: seeds.accounts ? undefined : toLargeMailbox(seeds),
    copyMailbox: (email) => toCopiedMailbox(email, seeds),
    tokenKey: settings.SANDBOX_TOKEN_KEY,
    changesFile: settings.SANDBOX_CHANGES_FILE,
    accessTokenTtlSeconds: settings.SANDBOX_ACCESS_TOKEN_TTL_SECONDS,
    quotaUnitsPerMinute: settings.SANDBOX_QUOTA_UNITS_PER_MINUTE,
    concurrentCalls: settings.SANDBOX_CONCURRENT_CALLS,
    latencyMs: settings.SANDBOX_LATENCY_MS,
    behaviour: settings.SANDBOX_BEHAVIOUR,
    setupUrl: settings.SANDBOX_SETUP_URL,
  });
  return await listenOnLoopback(sandbox.app, settings.PORT);
};
