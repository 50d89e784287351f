export { type AccountTokens, createAccessTokens } from './access-tokens.ts';
export {
  answerDoctorQuestion,
  createDoctorQuestion,
  fingerprintVariables,
} from './encryption/doctor-question.ts';
export { deriveKey, deriveMessageKeys } from './encryption/encryption-keys.ts';
export {
  formatProcessName,
  type ProcessName,
  parseProcessName,
  toFingerprints,
} from './encryption/process-name.ts';
export { ENCRYPTED_COLUMNS, reencryptTable } from './encryption/reencrypt.repository.ts';
export { createTokenCipher, type TokenCipher } from './encryption/token-cipher.ts';
export { OidcError, toRefusalCode } from './oidc-error.ts';
export {
  createOidcProvider,
  type LoginSecrets,
  type OidcProvider,
  type ProviderIdentity,
  type ProviderTokens,
  toMailAccess,
} from './oidc-provider.ts';
export {
  createMailboxAccess,
  type MailboxAccess,
  type OpenJmapMailbox,
  type OpenMailboxOptions,
} from './open-mailbox.ts';
export {
  hasUsableRefreshToken,
  type MailAccount,
  saveProviderTokens,
} from './provider-connection.repository.ts';
export { identify } from './providers/identify.ts';
export { providerVariables, requireProvider } from './providers/provider-variables.ts';
export {
  createJmapProvider,
  createProviders,
  GMAIL,
  type Provider,
  type Providers,
} from './providers/providers.ts';
export { createRevokeGrant } from './revoke-grant.ts';
export { encryptionKeyVariables, mailboxAccessVariables } from './variables.ts';
export { countReadableConnections, warnOfWrongKey } from './warn-of-wrong-key.ts';
