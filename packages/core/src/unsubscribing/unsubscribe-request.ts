import type { TextCipher } from '@mailsweep/message-cache';
import { z } from 'zod';

const UnsubscribeRequestSchema = z.object({
  /** Name and address of the sender. */
  from: z.string(),
  /** The address to call; it often has a token of the user in it. */
  url: z.string().optional(),
});
export type UnsubscribeRequest = z.infer<typeof UnsubscribeRequestSchema>;

const ownerOf = (userId: string): string => `${userId}\nunsubscribe`;

/** A request as it is stored: encrypted, and bound to the user. */
export const writeUnsubscribeRequest = (
  cipher: TextCipher,
  userId: string,
  request: UnsubscribeRequest,
): string => cipher.encrypt(JSON.stringify(request), ownerOf(userId));

/** A stored request; undefined where the key is gone. */
export const readUnsubscribeRequest = (
  cipher: TextCipher,
  userId: string,
  encryptedRequest: string,
): UnsubscribeRequest | undefined => {
  try {
    return UnsubscribeRequestSchema.parse(JSON.parse(cipher.decrypt(encryptedRequest, ownerOf(userId))));
  } catch {
    return undefined;
  }
};
