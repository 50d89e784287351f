import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRESS_STREAM_EVENTS } from '@mailsweep/contracts';
import { isDatabaseUnavailable } from '@mailsweep/database';
import { ProblemError } from '@mailsweep/service-kit';
import { withinDatabaseDeadline } from '../http/database-unavailable.ts';
import type { StreamItem } from './send-events.ts';

/** Work of a user that goes on in the background. */
interface Work {
  /** Null while it goes on. */
  finishedAt: string | null;
}

/** How often the work is looked at, in milliseconds; a session that has ended is noticed as soon. */
const POLL_MS = 1_000;
/** Longest silence, in milliseconds; proxies cut connections that say nothing for 30 s to 60 s. */
const HEARTBEAT_MS = 15_000;

/** The id of an event follows from its data alone, so that every replica knows what a client has seen. */
const toEvent = (work: Work): NonNullable<StreamItem> => ({
  event: work.finishedAt === null ? PROGRESS_STREAM_EVENTS.PROGRESS : PROGRESS_STREAM_EVENTS.END,
  id: createHash('sha256').update(JSON.stringify(work)).digest('base64url').slice(0, 22),
  data: work,
});

const isOutage = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || (error instanceof ProblemError && error.code === 'database_unavailable');

/**
 * Follows a scan or a cleanup to its end: an event as it is now and at each change, but for what the client has seen, and a
 * heartbeat whenever nothing else was said for a while. Nothing at all when the end has been seen.
 *
 * @param options.read - the work; null when there is none, or none that may be shown any longer
 * @param options.lastEventId - what the client has seen
 * @param options.signal - ends it
 * @throws ProblemError 404 when there is nothing to begin with
 */
export async function* followProgress(options: {
  read: () => Promise<Work | null>;
  lastEventId: string | undefined;
  signal: AbortSignal;
  pollMs?: number;
  heartbeatMs?: number;
}): AsyncGenerator<StreamItem, void, undefined> {
  const { signal, pollMs = POLL_MS, heartbeatMs = HEARTBEAT_MS } = options;
  let seenId = options.lastEventId;
  let saidAtMs = Number.NEGATIVE_INFINITY;

  let work = await withinDatabaseDeadline(options.read());
  if (work === null) throw new ProblemError(404, 'not_found', 'There is no such thing of yours.');
  while (work !== null) {
    const event = toEvent(work);
    const isNew = event.id !== seenId;
    if (isNew) yield event;
    if (work.finishedAt !== null) return;
    const isSilent = performance.now() - saidAtMs >= heartbeatMs;
    if (!isNew && isSilent) yield undefined;
    if (isNew || isSilent) saidAtMs = performance.now();
    seenId = event.id;

    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    // While the database is away the stream waits for it: what it knows is still the newest.
    work = await withinDatabaseDeadline(options.read()).catch((error: unknown) => {
      if (isOutage(error)) return work;
      throw error;
    });
  }
}
