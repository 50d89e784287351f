import {
  type Unsubscribe,
  type UnsubscribeError,
  UnsubscribeErrorSchema,
  UnsubscribeStateSchema,
} from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import type { UnsubscribeOffer } from '@mailsweep/mail/mailbox';
import { readMessageText, type TextCipher } from '@mailsweep/mail/message-cache';
import { insertAuditEntry, type NewAuditEntry } from '../history/audit-trail.repository.ts';
import { RefusedError } from '../refused-error.ts';
import {
  listSenderUnsubscribes,
  lockUser,
  type SenderUnsubscribeRow,
  saveUnsubscribe,
  writeUnsubscribeRequest,
} from './unsubscribe.repository.ts';

const NOTHING: Unsubscribe = {
  method: null,
  host: null,
  link: null,
  mailto: null,
  state: null,
  error: null,
  status: null,
  at: null,
};

/** The user has asked already. */
const ASKED: readonly unknown[] = ['requested', 'accepted'];

/** Unsubscribes users from senders (docs/decisions/048). The calls themselves are the worker's. */
export const createUnsubscribing = ({ database, cipher }: { database: Database; cipher: TextCipher }) => {
  const read = async (tx: Database | Transaction, userId: string, senderId: string) => {
    const [row] = await listSenderUnsubscribes(tx, userId, [senderId]);
    if (row === undefined) return undefined;
    const found = readOffers(cipher, userId, row);
    return { found, unsubscribe: toUnsubscribe(row, found) };
  };

  return {
    /** How the user unsubscribes from a sender, and what became of it; nothing but nulls where nothing is known of that. */
    async find(userId: string, senderId: string): Promise<Unsubscribe> {
      return (await read(database, userId, senderId))?.unsubscribe ?? NOTHING;
    },

    /**
     * Requests to unsubscribe from a sender. Asking again changes nothing while the request is made or was accepted, and
     * makes a new one after it was refused, or where the sender still sends.
     *
     * @param client - who sent the request, for the audit trail
     * @param host - the host that the user was shown, null for none; left out by clients that do not say
     * @throws {RefusedError}
     */
    request: (
      userId: string,
      senderId: string,
      client: Omit<NewAuditEntry, 'userId' | 'event' | 'details'>,
      host?: string | null,
    ): Promise<Unsubscribe> =>
      database.$transaction(async (tx) => {
        // One at a time: two clicks make one request.
        await lockUser(tx, userId);
        const known = await read(tx, userId, senderId);
        if (known !== undefined && ASKED.includes(known.unsubscribe.state)) return known.unsubscribe;
        if (known?.found === undefined) {
          throw new RefusedError(
            'unsubscribe_not_offered',
            'no email of this sender says how to unsubscribe',
          );
        }
        const { from, oneClick } = known.found;
        const chosen = host === undefined ? known.unsubscribe.host : host;
        const url = chosen === null ? undefined : oneClick.get(chosen);
        if (chosen === null ? oneClick.size > 0 : url === undefined) {
          throw new RefusedError(
            'unsubscribe_changed',
            'a request would go to another host than the one shown',
          );
        }
        const method = url === undefined ? 'manual' : 'one_click';
        await saveUnsubscribe(tx, userId, {
          senderId,
          state: method === 'manual' ? 'manual' : 'requested',
          encryptedRequest: writeUnsubscribeRequest(cipher, userId, { from, url }),
        });
        const details = { senderId, method };
        await insertAuditEntry(tx, { ...client, userId, event: 'unsubscribe_requested', details });
        return (await read(tx, userId, senderId))?.unsubscribe ?? known.unsubscribe;
      }),
  };
};

/** What the emails of a sender offer together. */
export interface SenderOffers {
  from: string;
  /** For the user to open. */
  byHand: Pick<UnsubscribeOffer, 'link' | 'mailto'>;
  /** Addresses of one-click requests by host, oldest first. */
  oneClick: Map<string, string>;
}

/**
 * How a sender's emails let their reader unsubscribe; undefined if none does. A forger can't sign for the sender, so an
 * unsigned email counts only if no signed one exists. A newer email replaces an older offer only at the same host.
 */
export const readOffers = (
  cipher: TextCipher,
  userId: string,
  { offering }: SenderUnsubscribeRow,
): SenderOffers | undefined => {
  const read = offering.flatMap(({ emailId, encryptedText }) => {
    const text = readMessageText(cipher, userId, emailId, encryptedText);
    return text?.unsubscribe === undefined ? [] : [{ from: text.from, offer: text.unsubscribe }];
  });
  const signed = read.filter(({ offer }) => offer.isSigned);
  const [newest] = signed.length > 0 ? signed : read;
  if (newest === undefined) return undefined;
  const addresses = signed.flatMap(({ offer }) => offer.oneClick ?? []).toReversed();
  const { from, offer } = newest;
  return { from, byHand: offer, oneClick: new Map(addresses.map((url) => [new URL(url).hostname, url])) };
};

export const toUnsubscribe = (row: SenderUnsubscribeRow, offers: SenderOffers | undefined): Unsubscribe => {
  const [host = null, ...others] = offers?.oneClick.keys() ?? [];
  return {
    method: offers === undefined ? null : host === null ? 'manual' : 'one_click',
    host,
    ...(host !== null && others.length > 0 && { hosts: [host, ...others] }),
    link: offers?.byHand.link ?? null,
    mailto: offers?.byHand.mailto ?? null,
    state: row.state === null ? null : UnsubscribeStateSchema.parse(row.state),
    error: readError(row.error),
    status: row.status,
    at: row.reachedAt?.toISOString() ?? null,
  };
};

const readError = (error: string | null): UnsubscribeError | null =>
  error === null ? null : UnsubscribeErrorSchema.parse(error);
