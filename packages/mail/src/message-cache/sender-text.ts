import type { TextCipher } from './message-text.ts';

const ownerOf = (userId: string): string => `${userId}\nprotection`;

/** Name and address of a protected sender, as they are stored: encrypted, and bound to the user. */
export const writeSender = (cipher: TextCipher, userId: string, from: string): string =>
  cipher.encrypt(from, ownerOf(userId));

/** Name and address of a protected sender; undefined where the key is gone. */
export const readSender = (
  cipher: TextCipher,
  userId: string,
  encryptedSender: string,
): string | undefined => {
  try {
    return cipher.decrypt(encryptedSender, ownerOf(userId));
  } catch {
    return undefined;
  }
};

/** A sender, and its text under the current key; undefined where the key is gone. */
export const renewSender = (
  cipher: TextCipher,
  userId: string,
  encryptedSender: string,
): { from: string; text: string } | undefined => {
  const from = readSender(cipher, userId, encryptedSender);
  return from === undefined ? undefined : { from, text: writeSender(cipher, userId, from) };
};
