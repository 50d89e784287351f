import { countWork, WORK_KINDS } from '@mailsweep/core';
import {
  measureOutbox,
  openQueueBackend,
  QUEUE_NAMES,
  QUEUE_SCHEMA,
  type QueueBackend,
} from '@mailsweep/event-bus';
import { createLogger } from '@mailsweep/service-kit';
import type { DoctorContext } from '../context.ts';
import { readMissingRights } from '../database.repository.ts';
import { error, type Finding, faultsOr, skipped, warning } from '../finding.ts';

/** The limits of the alerts in docs/OPERATIONS.md, "Watch metrics and set alerts". */
const MOST_WAITING = 1_000;
const LONGEST_UNPUBLISHED_S = 60;
/** No job takes longer: a call of the webhook ends after 15 s. */
const LONGEST_JOB_MS = 60_000;
const DEAD_LETTERS =
  'node apps/worker/src/dead-letters.ts list (in the image of the worker: node dist/dead-letters.js list)';

/** The jobs of all queues; `stalled`: a worker took them and is gone, and no other has taken them over. */
const countJobs = async (backend: QueueBackend) => {
  const counts = { waiting: 0, dead: 0, stalled: 0 };
  for (const name of QUEUE_NAMES) {
    const { waiting, failed } = await backend.countJobs(name);
    const active = await (await backend.openQueue(name)).getJobs(['active'], 0, 99);
    const isStalled = ({ processedOn = Date.now() }) => processedOn < Date.now() - LONGEST_JOB_MS;
    counts.waiting += waiting;
    counts.dead += failed;
    counts.stalled += active.filter(isStalled).length;
  }
  return counts;
};

const listParked = async ({ database }: DoctorContext): Promise<string[]> => {
  const kinds = WORK_KINDS.map(async (kind) => ({ kind, ...(await countWork(database, kind)) }));
  return (await Promise.all(kinds)).flatMap(({ kind, parked }) =>
    parked > 0 ? [`${parked} of ${kind}`] : [],
  );
};

const findLateRows = async (context: DoctorContext): Promise<(Finding | false)[]> => {
  const { unpublished, oldestSeconds } = await measureOutbox(context.database);
  const parked = await listParked(context);
  return [
    oldestSeconds > LONGEST_UNPUBLISHED_S &&
      error({
        message: `${unpublished} events wait in the outbox, the oldest for ${Math.round(oldestSeconds)} s.`,
        why: 'Timeline and webhooks do not get them.',
        fix: 'Start an API process, which publishes them; if one runs, look at its log for "the queue".',
      }),
    parked.length > 0 &&
      warning({
        message: `Due work is parked, since five workers in a row died of it: ${parked.join(', ')}.`,
        why: 'It waits for you.',
        fix: `Look for the end of these workers in their logs; then replay it or give it up: ${DEAD_LETTERS}`,
      }),
  ];
};

const findLateJobs = async (backend: QueueBackend): Promise<(Finding | false)[]> => {
  const { waiting, dead, stalled } = await countJobs(backend);
  return [
    waiting > MOST_WAITING &&
      warning({
        message: `${waiting} jobs wait.`,
        why: 'Timeline and webhooks are behind.',
        fix: 'Start more workers, and look at their logs.',
      }),
    dead > 0 &&
      warning({
        message: `${dead} jobs are dead letters.`,
        why: 'What they stand for was not done: an event is not in the timeline, or the workflow service was not called.',
        fix: `Fix the cause, then replay them: ${DEAD_LETTERS}`,
      }),
    stalled > 0 &&
      error({
        message: `${stalled} jobs are stalled: their worker is gone, and no other took them over.`,
        why: 'Their events are not delivered.',
        fix: 'Start a worker; it takes them over within seconds.',
      }),
  ];
};

/** What waits in the queue, and what was given up. */
export const checkQueue = async (context: DoctorContext): Promise<Finding[]> => {
  const { databaseUrl = '', database, values } = context;
  const { REDIS_URL: redisUrl } = values;
  const late = await findLateRows(context);
  // Opening a queue in Postgres would make its tables.
  if (redisUrl === undefined && (await readMissingRights(database, QUEUE_SCHEMA)).queue !== 'usable')
    return [
      ...late.filter((row) => row !== false),
      skipped('The queue has no tables yet: the API makes them.'),
    ];
  const logger = createLogger({ service: 'doctor', level: 'silent' });
  const backend = await openQueueBackend({ redisUrl, databaseUrl, logger, poolSize: 2 });
  try {
    return faultsOr('Nothing is overdue, stalled or given up.', ...late, ...(await findLateJobs(backend)));
  } finally {
    await backend.close();
  }
};
