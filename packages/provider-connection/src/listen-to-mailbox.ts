import { type JmapConnections, type ListeningEnd, listenToAccount } from '@mailsweep/jmap';
import type { AccountTokens } from './access-tokens.ts';
import type { Providers } from './providers/providers.ts';

/** Listens to changes of a user's mailbox until the connection is closed; see {@link listenToAccount}. */
export type ListenToMailbox = (
  userId: string,
  options: { signal: AbortSignal; onChange: () => void },
) => Promise<ListeningEnd>;

export const createListenToMailbox =
  (dependencies: {
    accessTokens: { sourceFor(userId: string): AccountTokens };
    providers: Providers;
    connections: JmapConnections;
  }): ListenToMailbox =>
  async (userId, options) => {
    const { providers, connections } = dependencies;
    const accessTokens = dependencies.accessTokens.sourceFor(userId);
    const { provider: key, accountId } = await accessTokens.findAccount();
    const provider = providers.get(key);
    if (provider?.kind !== 'jmap' || accountId === null) return 'unsupported';
    const server = { sessionUrl: provider.sessionUrl, accountId };
    return await listenToAccount({ server, accessTokens, connections, userId, ...options });
  };
