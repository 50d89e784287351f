import type { Unsubscribe } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/message-cache';
import { insertAuditEntry, type NewAuditEntry } from '../history/audit-trail.repository.ts';
import { RefusedError } from '../refused-error.ts';
import { readOffer, toUnsubscribe } from './sender-unsubscribe.ts';
import { listSenderUnsubscribes, lockUser, saveUnsubscribe } from './unsubscribe.repository.ts';
import { writeUnsubscribeRequest } from './unsubscribe-request.ts';

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

/** States in which the user has asked already, and nothing is to be done again. */
const ASKED: readonly unknown[] = ['requested', 'accepted'];

/** Unsubscribes users from senders (docs/decisions/048). The calls themselves are the worker's. */
export const createUnsubscribing = ({ database, cipher }: { database: Database; cipher: TextCipher }) => {
  const find = async (tx: Database | Transaction, userId: string, senderId: string) => {
    const [row] = await listSenderUnsubscribes(tx, userId, [senderId]);
    if (row === undefined) return undefined;
    const found = readOffer(cipher, userId, row);
    return { found, unsubscribe: toUnsubscribe(row, found?.offer) };
  };

  return {
    /** How the user unsubscribes from a sender, and what became of it; nothing but nulls where nothing is known of that. */
    async findUnsubscribe(userId: string, senderId: string): Promise<Unsubscribe> {
      return (await find(database, userId, senderId))?.unsubscribe ?? NOTHING;
    },

    /**
     * Requests to unsubscribe from a sender. Asking again changes nothing while the request is made or was accepted, and
     * makes a new one after it was refused, or where the sender still sends.
     *
     * @param client - who sent the request, for the audit trail
     * @throws {RefusedError}
     */
    unsubscribe: (
      userId: string,
      senderId: string,
      client: Omit<NewAuditEntry, 'userId' | 'event' | 'details'>,
    ): Promise<Unsubscribe> =>
      database.$transaction(async (tx) => {
        // One at a time: two clicks make one request.
        await lockUser(tx, userId);
        const known = await find(tx, userId, senderId);
        if (known !== undefined && ASKED.includes(known.unsubscribe.state)) return known.unsubscribe;
        if (known?.found === undefined) {
          throw new RefusedError(
            'unsubscribe_not_offered',
            'no email of this sender says how to unsubscribe',
          );
        }
        const { from, offer } = known.found;
        const method = offer.oneClick === undefined ? 'manual' : 'one_click';
        await saveUnsubscribe(tx, userId, {
          senderId,
          state: method === 'manual' ? 'manual' : 'requested',
          encryptedRequest: writeUnsubscribeRequest(cipher, userId, { from, url: offer.oneClick }),
        });
        const details = { senderId, method };
        await insertAuditEntry(tx, { ...client, userId, event: 'unsubscribe_requested', details });
        return (await find(tx, userId, senderId))?.unsubscribe ?? known.unsubscribe;
      }),
  };
};
