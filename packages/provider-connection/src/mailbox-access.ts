import type { Database } from '@mailsweep/database';
import { createGmailMailbox, type GmailMailboxOptions } from '@mailsweep/gmail-mailbox';
import type { Mailbox } from '@mailsweep/mailbox';
import { openQuotaGovernor } from '@mailsweep/mailbox-quota';
import { createMessageStores } from '@mailsweep/message-cache';
import { createAccessTokens } from './access-tokens.ts';
import { deriveMessageKeys } from './encryption/encryption-keys.ts';
import { createTokenCipher } from './encryption/token-cipher.ts';
import { createOidcProvider } from './oidc-provider.ts';
import type { MailboxAccessConfig } from './variables.ts';

/** For processes that only refresh tokens: no browser returns to them. */
const NO_REDIRECT = 'http://localhost/auth/idp/callback';

type GovernorOptions = Parameters<typeof openQuotaGovernor>[0];

/** What differs from one process to another. */
type OpenMailboxOptions = Pick<
  GmailMailboxOptions,
  'governor' | 'inboxCounts' | 'priority' | 'signal' | 'onRebuild'
>;

/**
 * Puts together what a process needs to open mailboxes: token cipher, sign-in provider, access tokens, message cache and
 * the one governor of the process. It opens nothing that needs closing.
 *
 * @param options.redirectUri - where browsers return after a sign-in; a process without sign-ins needs none
 * @param options.redis - see {@link openQuotaGovernor}
 * @param options.batchReads - whether messages are read through Gmail's batch endpoint; they are unless told otherwise
 */
export const createMailboxAccess = (options: {
  config: MailboxAccessConfig;
  redirectUri?: string;
  database: Database;
  redis: GovernorOptions['redis'];
  logger: GovernorOptions['logger'];
  observeQuota: NonNullable<GovernorOptions['observe']>;
  batchReads?: boolean | undefined;
}) => {
  const { config, redirectUri = NO_REDIRECT, database, redis, logger, observeQuota, batchReads } = options;
  const keys = { current: config.TOKEN_ENCRYPTION_KEY, previous: config.TOKEN_ENCRYPTION_KEY_PREVIOUS };
  const tokenCipher = createTokenCipher(keys);
  const oidcProvider = createOidcProvider({
    issuer: config.OAUTH_ISSUER,
    clientId: config.OAUTH_CLIENT_ID,
    clientSecret: config.OAUTH_CLIENT_SECRET,
    redirectUri,
  });
  const accessTokens = createAccessTokens({ database, tokenCipher, oidcProvider, logger });
  const messageKeys = deriveMessageKeys(keys);
  const openMessageStore = createMessageStores({ database, ...messageKeys });
  const governor = openQuotaGovernor({ config, redis, database, logger, observe: observeQuota });

  const openMailbox = (userId: string, mailboxOptions: OpenMailboxOptions = {}): Mailbox =>
    createGmailMailbox({
      governor,
      ...mailboxOptions,
      baseUrl: config.GMAIL_BASE_URL,
      accessTokens: accessTokens.sourceFor(userId),
      userId,
      batchReads,
      store: openMessageStore(userId),
      onRebuild: () => {
        mailboxOptions.onRebuild?.();
        logger.warn({ userId }, 'Gmail history expired, rebuilding the cache');
      },
      onStoreError: (error) =>
        logger.warn({ err: error, userId }, 'the message cache could not be brought up to date'),
    });

  return {
    tokenCipher,
    oidcProvider,
    messageCipher: messageKeys.cipher,
    senderKey: messageKeys.senderKey,
    openMessageStore,
    governor,
    openMailbox,
  };
};

export type MailboxAccess = ReturnType<typeof createMailboxAccess>;
