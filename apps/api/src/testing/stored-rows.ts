import type { DomainEventType } from '@mailsweep/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { ApiHarness } from './api-harness.ts';

type Query = ApiHarness['testDatabase']['query'];

/**
 * Stores a domain event as the worker does.
 *
 * @param event.createdAt - an SQL expression, `now()` when left out
 */
export const insertNotificationEvent = async (
  query: Query,
  event: { userId: string; type: DomainEventType; summary: object; createdAt?: string },
): Promise<string> => {
  const id = uuidv7();
  await query(
    `INSERT INTO "NotificationEvent" ("id", "userId", "type", "summary", "createdAt", "updatedAt")
     VALUES ($1, $2, $3, $4, ${event.createdAt ?? 'now()'}, now())`,
    [id, event.userId, event.type, event.summary],
  );
  return id;
};

/** Stores history records, the last the newest, a second apart. */
export const insertHistory = async (query: Query, userId: string, emailIds: string[]): Promise<string[]> => {
  const ids = emailIds.map(() => uuidv7());
  await query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
     SELECT id, $1, email, 'archive', timestamptz '2026-01-01T00:00:00Z' + index * interval '1 s',
       '{"source":"inbox","gmailResponse":{"status":"ok"},"note":"","labelChange":{"added":[],"removed":[]}}', id
     FROM unnest($2::uuid[], $3::text[]) WITH ORDINALITY AS row(id, email, index)`,
    [userId, ids, emailIds],
  );
  return ids;
};
