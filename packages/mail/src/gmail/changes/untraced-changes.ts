import type { LabelChange } from '@mailsweep/contracts';
import { type GmailSession, type MessageLabels, toMessageLabelsRequest } from '@mailsweep/mail/gmail/api';
import { applyChange, isInEffect, type MailboxError } from '@mailsweep/mail/mailbox';
import { type LabelRecord, toLater } from '@mailsweep/mail/message-cache';
import { attempt } from './send-changes.ts';

/**
 * How long the history is waited for after a change, in milliseconds between reads. Records of new mail were seen
 * missing 1 to 3 seconds after it (openclaw/gogcli#379); for label changes no figure is known.
 */
export const HISTORY_POLL_DELAYS_MS = [500, 1_000, 2_000] as const;
/** Most messages read, at 20 units each, to find out whether the history is behind: as many as are changed one by one. */
const MAX_PROBES = 10;

/** What a message itself says of the changes after a point of the history. */
export type Probe =
  /** Nothing changed it. */
  | { state: 'unchanged'; labels: string[] }
  /** Its last record is known; one before that may be shown late still. */
  | { state: 'told'; labels: string[] }
  /** Changed at `historyId`, and the record of that is late or lost. */
  | { state: 'behind'; labels: string[]; historyId: bigint }
  | { state: 'error'; error: MailboxError };

/** The last record of a message that is known, or the point from which the history was read. */
const toKnownUntil = (records: readonly LabelRecord[] | undefined, start: bigint): bigint =>
  records?.map(({ historyId }) => historyId).reduce(toLater, start) ?? start;

const judge = (
  { labelIds, historyId }: MessageLabels,
  records: readonly LabelRecord[] | undefined,
  start: bigint,
): Probe => {
  const labels = labelIds ?? [];
  if (historyId == null || historyId <= start) return { state: 'unchanged', labels };
  const isBehind = historyId > toKnownUntil(records, start);
  return isBehind ? { state: 'behind', labels, historyId } : { state: 'told', labels };
};

/**
 * Reads a few messages without a trace in the history one after another: a message names its last record (`historyId` of
 * users.messages).
 *
 * @param records - since `start`, by message
 * @param isEnough - ends the reading; by default a message which shows that the history is behind
 * @returns the messages that were read
 */
export const probeMessages = async (
  session: GmailSession,
  ids: readonly string[],
  records: Map<string, LabelRecord[]>,
  start: bigint,
  isEnough = ({ state }: Probe): boolean => state === 'behind',
): Promise<Map<string, Probe>> => {
  const probes = new Map<string, Probe>();
  for (const id of ids.slice(0, MAX_PROBES)) {
    const { response, error } = await attempt(() => session.send(toMessageLabelsRequest(id)));
    const found: Probe = response ? judge(response, records.get(id), start) : { state: 'error', error };
    probes.set(id, found);
    if (isEnough(found)) break;
  }
  return probes;
};

/** Probes once the history was read again: a record that was waited for may have come. */
export const reviewProbes = (
  probes: ReadonlyMap<string, Probe>,
  records: ReadonlyMap<string, LabelRecord[]>,
  start: bigint,
): Map<string, Probe> =>
  new Map(
    [...probes].map(([id, one]) => {
      const hasCome = one.state === 'behind' && one.historyId <= toKnownUntil(records.get(id), start);
      return [id, hasCome ? { state: 'told', labels: one.labels } : one];
    }),
  );

/** Whether records alone lead to what a change wants, so that it found nothing to do. */
export const isDoneByRecords = (records: readonly LabelRecord[] | undefined, change: LabelChange): boolean =>
  isInEffect((records ?? []).reduce<string[]>(applyChange, change.removed), change);

/** Whether any of the messages showed that the history is behind. */
export const isHistoryBehind = (probes: ReadonlyMap<string, Probe>): boolean =>
  [...probes.values()].some(({ state }) => state === 'behind');
