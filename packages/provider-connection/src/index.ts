export { createAccessTokens } from './access-tokens.ts';
export { deriveKey, deriveMessageKeys } from './encryption-keys.ts';
export { createMailboxAccess, type MailboxAccess } from './mailbox-access.ts';
export {
  allowsMail,
  createOidcProvider,
  type LoginSecrets,
  OidcError,
  type OidcProvider,
  type ProviderIdentity,
  type ProviderTokens,
  toRefusalCode,
} from './oidc-provider.ts';
export { hasUsableRefreshToken, saveProviderTokens } from './provider-connection.repository.ts';
export { ENCRYPTED_COLUMNS, type ReencryptCounts, reencryptTable } from './reencrypt.ts';
export { createRevokeGrant } from './revoke-grant.ts';
export { createTokenCipher, type TokenCipher } from './token-cipher.ts';
export { encryptionKeyVariables, mailboxAccessVariables, providerVariables } from './variables.ts';
