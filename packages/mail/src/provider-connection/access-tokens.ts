import { setTimeout as delay } from 'node:timers/promises';
import { type Database, isDatabaseUnavailable } from '@mailsweep/database';
import { type AccessTokenSource, MailboxError } from '@mailsweep/mail/mailbox';
import type { Logger } from '@mailsweep/service-kit';
import type { TokenCipher } from './encryption/token-cipher.ts';
import { OidcError } from './oidc-error.ts';
import {
  findProviderConnection,
  leaseRefresh,
  type MailAccount,
  markReauthRequired,
  type ProviderConnection,
  releaseRefresh,
  saveProviderTokens,
} from './provider-connection.repository.ts';
import type { Provider, Providers } from './providers/providers.ts';

/** A token this close to its end is renewed at once, in milliseconds. */
const EXPIRY_MARGIN_MS = 60_000;
/** After this another process may take a refresh over; longer than one takes with its retries, in seconds. */
const REFRESH_LEASE_S = 15;
/** How often a process looks whether another has finished its refresh, in milliseconds. */
const REFRESH_POLL_MS = 100;

/** The access tokens of one user, and where their mailbox is, which one read of the database tells both. */
export interface AccountTokens extends AccessTokenSource {
  findAccount(): Promise<MailAccount>;
}

type IsUseless = (connection: ProviderConnection) => boolean;

/**
 * Access tokens for people's mailboxes. However many requests need a new one at the same time, on however
 * many replicas, the provider is asked once: here by sharing the promise, elsewhere by a lease on the row.
 * No database connection is held while the provider takes its time.
 */
export const createAccessTokens = (dependencies: {
  database: Database;
  tokenCipher: TokenCipher;
  providers: Providers;
  logger: Logger;
}) => {
  const { database, tokenCipher, providers, logger } = dependencies;
  const renewals = new Map<string, Promise<string>>();

  /** No token is handed out for a mailbox that is not at the provider it came from. */
  const findLive = async (userId: string): Promise<ProviderConnection> => {
    const found = findProviderConnection(database, tokenCipher, userId).catch(rejectForNow);
    const connection = requireLive(await found);
    requireProvider(connection);
    return connection;
  };

  const requireProvider = ({ provider: key }: MailAccount): Provider => {
    const provider = providers.get(key);
    if (provider !== undefined) return provider;
    throw new MailboxError('provider_configuration', `the provider ${key} is not configured`);
  };

  /** @param isUseless - whether the token in the row can't be used, so that it has to be renewed */
  const renewOnce = (userId: string, isUseless: IsUseless): Promise<string> => {
    const running = renewals.get(userId);
    if (running !== undefined) return running;
    const renewal = renewInTurn(userId, isUseless)
      .catch(rejectForNow)
      .finally(() => renewals.delete(userId));
    renewals.set(userId, renewal);
    return renewal;
  };

  const renewInTurn = async (userId: string, isUseless: IsUseless): Promise<string> => {
    while (!(await leaseRefresh(database, userId, REFRESH_LEASE_S))) {
      await delay(REFRESH_POLL_MS);
      const connection = await findLive(userId);
      if (!isUseless(connection)) return connection.accessToken;
    }
    try {
      // Read under the lease: another process may have been faster.
      const connection = await findLive(userId);
      return isUseless(connection) ? await refresh(userId, connection) : connection.accessToken;
    } finally {
      await releaseRefresh(database, userId);
    }
  };

  const refresh = async (userId: string, connection: ProviderConnection): Promise<string> => {
    const { refreshToken } = connection;
    const { oauth } = requireProvider(connection);
    try {
      // Such as of a token that the user made: it does not expire, so it was revoked.
      if (refreshToken === null || oauth === undefined)
        throw new OidcError('invalid_grant', 'there is no refresh token');
      const tokens = await oauth.refresh(refreshToken);
      const { provider, accountId } = connection;
      await saveProviderTokens(database, tokenCipher, userId, tokens, { provider, accountId });
      return tokens.accessToken;
    } catch (error) {
      if (!(error instanceof OidcError)) throw error;
      if (error.code !== 'invalid_grant') throw refuse({ userId, provider: connection.provider }, error);
      // Where nothing was left to note, the user has signed in again meanwhile.
      if (!(await markReauthRequired(database, userId, connection)))
        return (await findLive(userId)).accessToken;
      logger.warn(
        { userId, err: error },
        'the provider refused the refresh token: the user has to sign in again',
      );
      throw reauthRequired(error);
    }
  };

  /** Maps a refresh error to a mailbox error; errors that the user has to resolve are logged by name. */
  const refuse = (whose: { userId: string; provider: string }, error: OidcError): MailboxError => {
    const { code, message } = error;
    if (code !== 'provider_configuration' && code !== 'domain_policy')
      return new MailboxError('mailbox_unavailable', 'the access token could not be renewed', {
        cause: error,
      });
    const details = { ...whose, err: error };
    if (code === 'domain_policy')
      logger.warn(details, 'a policy of the account keeps the provider from granting access');
    else
      logger.error(
        details,
        'the provider does not accept the OAuth client: check its id and secret in the configuration, and that the client still exists',
      );
    return new MailboxError(code, message, { cause: error });
  };

  /** The user has to sign in again, unless they have since. */
  const noteMissingScope = async (userId: string, token: string): Promise<void> => {
    try {
      const connection = await findProviderConnection(database, tokenCipher, userId);
      if (connection?.accessToken === token) await markReauthRequired(database, userId, connection);
    } catch (error) {
      logger.error({ userId, err: error }, 'a connection without the scope for mail could not be marked');
    }
  };

  return {
    /** The access tokens of one user; the source remembers the token for as long as it is good. */
    sourceFor(userId: string): AccountTokens {
      let known: ProviderConnection | null = null;
      return {
        async findAccount() {
          if (known !== null) return known;
          const connection = await findLive(userId);
          if (!isExpired(connection)) known = connection;
          return connection;
        },
        async current() {
          if (known !== null && !isExpired(known)) return known.accessToken;
          const connection = await findLive(userId);
          if (isExpired(connection)) return renewOnce(userId, isExpired);
          known = connection;
          return connection.accessToken;
        },
        renew(refused) {
          known = null;
          return renewOnce(
            userId,
            (connection) => connection.accessToken === refused || isExpired(connection),
          );
        },
        reportMissingScope(token) {
          known = null;
          return noteMissingScope(userId, token);
        },
      };
    },
  };
};

const isExpired = ({ accessTokenExpiresAt }: Pick<ProviderConnection, 'accessTokenExpiresAt'>): boolean =>
  accessTokenExpiresAt.getTime() - EXPIRY_MARGIN_MS < Date.now();

/** Without the database there is no token for now, which is no failure of the mailbox. */
const rejectForNow = (error: unknown): never => {
  if (!isDatabaseUnavailable(error)) throw error;
  throw new MailboxError('mailbox_unavailable', 'the database is unavailable', { cause: error });
};

const reauthRequired = (cause?: unknown) =>
  new MailboxError('reauth_required', 'the mailbox connection has ended', { cause });

const requireLive = (connection: ProviderConnection | null): ProviderConnection => {
  if (connection === null || connection.isDead) throw reauthRequired();
  return connection;
};
