import type { Database, Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';
import type { ActionPlan } from './action-plan.ts';

/** How long a process that stopped renewing its lease keeps others away from an intent, in seconds. */
const LEASE_SECONDS = 30;

/** A plan as it stands written down. */
export interface ActionIntent {
  id: string;
  userId: string;
  plan: ActionPlan;
  requestedAt: Date;
}

/** Writes a plan down and leases it to this process. */
export const insertActionIntent = async (
  database: Database,
  userId: string,
  plan: ActionPlan,
  requestedAt: Date,
): Promise<ActionIntent> => {
  const id = uuidv7();
  await database.$executeRaw`
    INSERT INTO "ActionIntent" ("id", "userId", "plan", "requestedAt", "leasedUntil")
    VALUES (${id}::uuid, ${userId}::uuid, ${JSON.stringify(plan)}::jsonb, ${requestedAt}::timestamptz,
      now() + make_interval(secs => ${LEASE_SECONDS}))`;
  return { id, userId, plan, requestedAt };
};

/** Keeps other processes away from intents that this one is still at work on. */
export const renewLeases = async (database: Database, ids: string[]): Promise<void> => {
  await database.$executeRaw`
    UPDATE "ActionIntent" SET "leasedUntil" = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE "id" = ANY(${ids}::uuid[])`;
};

/** An intent as it is found; whoever takes it up parses its plan. */
export type FoundIntent = Omit<ActionIntent, 'plan'> & { plan: unknown };

/** Leases intents that nobody works on any more to this process, oldest first. */
export const claimAbandonedIntents = (database: Database, limit: number): Promise<FoundIntent[]> =>
  database.$queryRaw<FoundIntent[]>`
    UPDATE "ActionIntent" SET "leasedUntil" = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE "id" IN (
      SELECT "id" FROM "ActionIntent" WHERE "leasedUntil" < now()
      ORDER BY "leasedUntil" LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING "id", "userId", "plan", "requestedAt"`;

/** Locks an intent until the transaction ends; false when somebody has settled it already. */
export const lockIntent = async (tx: Transaction, id: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<
    unknown[]
  >`SELECT 1 FROM "ActionIntent" WHERE "id" = ${id}::uuid FOR UPDATE`;
  return rows.length === 1;
};

/** Shrinks an intent to the plan that is still open. */
export const replacePlan = async (tx: Transaction, id: string, plan: ActionPlan): Promise<void> => {
  await tx.$executeRaw`
    UPDATE "ActionIntent" SET "plan" = ${JSON.stringify(plan)}::jsonb WHERE "id" = ${id}::uuid`;
};

/** Forgets an intent that is settled. */
export const deleteIntent = async (tx: Transaction, id: string): Promise<void> => {
  await tx.actionIntent.deleteMany({ where: { id } });
};
