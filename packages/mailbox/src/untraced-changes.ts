import { type LabelRecord, toLater } from './gmail-history.ts';
import type { GmailSession } from './gmail-http.ts';
import { toMessageLabelsRequest } from './gmail-requests.ts';
import { MailboxError } from './mailbox.ts';

/**
 * How long the history is waited for after a change, in milliseconds between reads. Records of new mail were seen
 * missing 1 to 3 seconds after it (openclaw/gogcli#379); for label changes no figure is known.
 */
export const HISTORY_POLL_DELAYS_MS = [500, 1_000, 2_000] as const;
/** Most messages read, at 20 units each, to find out whether the history is behind. */
const MAX_PROBES = 3;

/** What a message itself says of the changes after a point of the history. */
export type Probe =
  /** Nothing changed that the history does not show. */
  | { state: 'complete'; labels: string[] }
  /** Changed, and the record of that is late or lost. */
  | { state: 'behind'; labels: string[] }
  | { state: 'error'; error: MailboxError };

const probe = async (session: GmailSession, id: string, knownUntil: bigint): Promise<Probe> => {
  try {
    const { labelIds, historyId } = await session.send(toMessageLabelsRequest(id));
    const isBehind = historyId != null && historyId > knownUntil;
    return { state: isBehind ? 'behind' : 'complete', labels: labelIds ?? [] };
  } catch (error) {
    if (error instanceof MailboxError) return { state: 'error', error };
    throw error;
  }
};

/** The last record of a message that is known, or the point from which the history was read. */
const toKnownUntil = (records: readonly LabelRecord[] | undefined, start: bigint): bigint =>
  records?.map(({ historyId }) => historyId).reduce(toLater, start) ?? start;

/**
 * Reads a few messages without a trace in the history one after another, until one of them shows that the history is
 * behind: a message names its last record (`historyId` of users.messages).
 *
 * @param records - since `start`, by message
 * @returns the messages that were read
 */
export const probeMessages = async (
  session: GmailSession,
  ids: readonly string[],
  records: Map<string, LabelRecord[]>,
  start: bigint,
): Promise<Map<string, Probe>> => {
  const probes = new Map<string, Probe>();
  for (const id of ids.slice(0, MAX_PROBES)) {
    const found = await probe(session, id, toKnownUntil(records.get(id), start));
    probes.set(id, found);
    if (found.state === 'behind') break;
  }
  return probes;
};

/** Whether any of the messages showed that the history is behind. */
export const isHistoryBehind = (probes: Map<string, Probe>): boolean =>
  [...probes.values()].some(({ state }) => state === 'behind');
