import { quotaVariables } from '@mailsweep/mail/quota';
import { HttpUrlSchema } from '@mailsweep/service-kit';
import { z } from 'zod';
import { EncryptionKeySchema } from './encryption/encryption-keys.ts';
import { providerVariables } from './providers/provider-variables.ts';

/** The keys of what is encrypted at rest, for the configuration of a process. */
export const encryptionKeyVariables = {
  TOKEN_ENCRYPTION_KEY: EncryptionKeySchema,
  /** Only while a key is being rotated: it still decrypts, and no longer encrypts. */
  TOKEN_ENCRYPTION_KEY_PREVIOUS: EncryptionKeySchema.optional(),
};

/** Everything that opening mailboxes needs, for the configuration of a process. */
export const mailboxAccessVariables = {
  ...providerVariables,
  ...encryptionKeyVariables,
  ...quotaVariables,
  GMAIL_BASE_URL: HttpUrlSchema.default('https://gmail.googleapis.com'),
};

const MailboxAccessSchema = z.object(mailboxAccessVariables);
export type MailboxAccessConfig = Readonly<z.output<typeof MailboxAccessSchema>>;
