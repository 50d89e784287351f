import type { z } from 'zod';
import { MessageTextSchema } from './fact-columns.ts';

/** Encrypts texts at rest, bound to their owner. */
export interface TextCipher {
  encrypt(plaintext: string, owner: string): string;
  /** @throws when the text was not made for this owner, or its key is gone */
  decrypt(ciphertext: string, owner: string): string;
}

/** Ciphertexts of one table, by outcome. */
export interface ReencryptCounts {
  reencrypted: number;
  /** They were under the current key already. */
  current: number;
  /** Written or deleted by another process at the same time; the next round finds out the key. */
  changed: number;
  /** Neither key reads them. */
  unreadable: number;
}

type MessageText = z.infer<typeof MessageTextSchema>;

const ownerOf = (userId: string, emailId: string): string => `${userId}\n${emailId}`;

/** The texts of a cached message, as they are stored (docs/decisions/021). */
export const writeMessageText = (
  cipher: TextCipher,
  userId: string,
  emailId: string,
  text: MessageText,
): string => cipher.encrypt(JSON.stringify(MessageTextSchema.parse(text)), ownerOf(userId, emailId));

/** The texts of a cached message; undefined where its key is gone, or it was tampered with: it counts as not cached. */
export const readMessageText = (
  cipher: TextCipher,
  userId: string,
  emailId: string,
  encryptedText: string,
): MessageText | undefined => {
  try {
    return MessageTextSchema.parse(JSON.parse(cipher.decrypt(encryptedText, ownerOf(userId, emailId))));
  } catch {
    return undefined;
  }
};
