import {
  type Unsubscribe,
  type UnsubscribeError,
  UnsubscribeErrorSchema,
  UnsubscribeStateSchema,
} from '@mailsweep/contracts';
import type { UnsubscribeOffer } from '@mailsweep/mailbox';
import { readMessageText, type TextCipher } from '@mailsweep/message-cache';
import type { SenderUnsubscribeRow } from './unsubscribe.repository.ts';

/** What the newest email of a sender that says how to unsubscribe offers; undefined where there is none. */
export const readOffer = (
  cipher: TextCipher,
  userId: string,
  { emailId, encryptedText }: SenderUnsubscribeRow,
): { from: string; offer: UnsubscribeOffer } | undefined => {
  if (emailId === null || encryptedText === null) return undefined;
  const text = readMessageText(cipher, userId, emailId, encryptedText);
  return text?.unsubscribe && { from: text.from, offer: text.unsubscribe };
};

/** Unsubscribing from a sender, as clients see it. */
export const toUnsubscribe = (
  row: SenderUnsubscribeRow,
  offer: UnsubscribeOffer | undefined,
): Unsubscribe => ({
  method: offer === undefined ? null : offer.oneClick === undefined ? 'manual' : 'one_click',
  host: offer?.oneClick === undefined ? null : new URL(offer.oneClick).hostname,
  link: offer?.link ?? null,
  mailto: offer?.mailto ?? null,
  state: row.state === null ? null : UnsubscribeStateSchema.parse(row.state),
  error: readError(row.error),
  status: row.status,
  at: row.reachedAt?.toISOString() ?? null,
});

const readError = (error: string | null): UnsubscribeError | null =>
  error === null ? null : UnsubscribeErrorSchema.parse(error);
