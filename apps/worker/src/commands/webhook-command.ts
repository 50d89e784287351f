import type { Database } from '@mailsweep/database';
import {
  listDeadLetters,
  type QueueBackend,
  type Requeueing,
  requeueJob,
  WEBHOOK_QUEUE,
} from '@mailsweep/event-bus';
import { z } from 'zod';
import { SUBSCRIPTIONS } from '../events/dispatch-events.ts';
import { findStoredEvent } from '../events/stored-event.repository.ts';

const USAGE = 'Usage: webhooks list | resend <event id>';
const LISTED = 50;

const DONE: Record<Requeueing, string> = {
  added: 'will be sent',
  replayed: 'was a dead letter and will be sent',
  promoted: 'was waiting for its next attempt and will be sent now',
  in_flight: 'is being sent already',
};

/** Of the events that the outbox still has: `done` was taken, or refused with 410, unless it is a dead letter. */
const listDeliveries = async (database: Database, queue: QueueBackend): Promise<string[]> => {
  const letters = (await listDeadLetters(queue)).filter(({ queueName }) => queueName === WEBHOOK_QUEUE);
  const reasons = new Map(letters.map(({ id, reason }) => [id, reason]));
  const events = await database.outboxEvent.findMany({
    where: { webhookState: { not: null } },
    orderBy: { createdAt: 'desc' },
    take: LISTED,
  });
  return events.map(({ id, type, createdAt, webhookState }) => {
    const reason = reasons.get(id);
    const state = reason === undefined ? webhookState : `dead letter: ${reason}`;
    return [createdAt.toISOString(), id, type, state].join('  ');
  });
};

/**
 * Runs `list`: the newest deliveries, one a line, and what became of them; or `resend <event id>`: has the worker send the webhook of an event once more, under the same `webhook-id`,
 * whether or not it was delivered before.
 *
 * @param say - takes the lines to show
 * @returns the exit code
 */
export const runWebhookCommand = async (
  [command, eventId, ...others]: string[],
  dependencies: { database: Database; queue: QueueBackend; say: (line: string) => void },
): Promise<number> => {
  const { database, queue, say } = dependencies;
  if (command === 'list' && eventId === undefined) {
    for (const line of await listDeliveries(database, queue)) say(line);
    return 0;
  }
  if (command !== 'resend' || eventId === undefined || others.length > 0) {
    say(USAGE);
    return 2;
  }
  const stored = z.uuid().safeParse(eventId).success ? await findStoredEvent(database, eventId) : null;
  if (stored === null) {
    say(`there is no event ${eventId}`);
    return 1;
  }
  const { event, traceParent } = stored;
  if (!SUBSCRIPTIONS[event.type].includes(WEBHOOK_QUEUE)) {
    say(`${event.type} has no webhook`);
    return 1;
  }
  const done = await requeueJob(queue, WEBHOOK_QUEUE, {
    id: eventId,
    name: event.type,
    data: event,
    traceParent,
  });
  say(`${eventId}  ${DONE[done]}`);
  return 0;
};
