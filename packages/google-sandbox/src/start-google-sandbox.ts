import { listenOnLoopback, loopbackUrl } from '@mailsweep/service-kit';
import type { SandboxSettings } from './config.ts';
import { createGoogleSandbox } from './create-google-sandbox.ts';
import { seedMailboxes, toLargeMailbox } from './seed/seed-mailboxes.ts';

export interface RunningSandbox {
  url: string;
  close(): Promise<void>;
}

/** Starts a sandbox with lifelike mailboxes on a port that only this machine reaches. */
export const startGoogleSandbox = async (settings: SandboxSettings): Promise<RunningSandbox> => {
  const sandbox = await createGoogleSandbox({
    publicUrl: loopbackUrl(settings.PORT),
    clients: settings.SANDBOX_OAUTH_CLIENTS,
    seedMailboxes: (seededAtMs) =>
      seedMailboxes(seededAtMs, {
        accounts: settings.SANDBOX_ACCOUNTS,
        unsubscribeOrigin: settings.SANDBOX_UNSUBSCRIBE_ORIGIN,
      }),
    lateMailbox: settings.SANDBOX_ACCOUNTS
      ? undefined
      : toLargeMailbox({ unsubscribeOrigin: settings.SANDBOX_UNSUBSCRIBE_ORIGIN }),
    tokenKey: settings.SANDBOX_TOKEN_KEY,
    changesFile: settings.SANDBOX_CHANGES_FILE,
    accessTokenTtlSeconds: settings.SANDBOX_ACCESS_TOKEN_TTL_SECONDS,
    quotaUnitsPerMinute: settings.SANDBOX_QUOTA_UNITS_PER_MINUTE,
    concurrentCalls: settings.SANDBOX_CONCURRENT_CALLS,
    latencyMs: settings.SANDBOX_LATENCY_MS,
    behaviour: settings.SANDBOX_BEHAVIOUR,
  });
  try {
    const server = await listenOnLoopback(sandbox.app, settings.PORT);
    return {
      url: server.url,
      async close() {
        await server.close();
        await sandbox.close();
      },
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
};
