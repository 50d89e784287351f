import { randomUUID } from 'node:crypto';
import type { Database } from '@mailsweep/database';
import { noteRequest, noteResponse } from './request-slots.repository.ts';

/** How much longer than its request a slot is leased, in milliseconds: for a process that is slow to note the response. */
const LEASE_MARGIN_MS = 5_000;

/**
 * Counts the requests in flight of each user over all processes, in Postgres, for providers that take only so many at a
 * time. The slots of a process that dies are free again when their leases end. While the database does not respond, slots
 * are given without being counted: the provider then refuses what is too many.
 *
 * @param options.onUnavailable - is told why a slot could not be counted
 */
export const createRequestSlots = ({
  database,
  onUnavailable,
}: {
  database: Database;
  onUnavailable: (error: unknown) => void;
}) => ({
  /** @returns what gives the slot back, which never rejects; undefined while `most` slots of the user are taken */
  async take(userId: string, most: number, leaseMs: number): Promise<(() => Promise<void>) | undefined> {
    const id = randomUUID();
    const isTaken = await noteRequest(database, {
      userId,
      id,
      most,
      leaseMs: leaseMs + LEASE_MARGIN_MS,
    }).catch(onUnavailable);
    return isTaken === false ? undefined : () => noteResponse(database, { userId, id }).catch(onUnavailable);
  },
});
