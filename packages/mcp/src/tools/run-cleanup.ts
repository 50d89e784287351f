import type { ApiClient, Cleanup } from '@mailsweep/client';
import { z } from 'zod';
import { defineTool, ToolError } from '../tool.ts';
import { CountSchema, countOf, PlanIdSchema } from '../values.ts';
import { ActionSchema } from './plan-cleanup.ts';

const PLAN_AGAIN = 'Plan it again with plan_cleanup, and show the new plan to the user.';

const StatusSchema = z.object({
  planId: PlanIdSchema,
  state: z.string().meta({
    description:
      'queued, running and waiting go on by themselves; awaiting_confirmation and paused wait for the user, in Mailsweep; completed, cancelled, failed and expired are final.',
  }),
  error: z.string().nullable().meta({ description: 'What it waits for, or why it stopped.' }),
  batchId: z.uuid().meta({ description: 'undo takes it.' }),
  emails: CountSchema,
  processed: CountSchema,
  changed: CountSchema,
  unchanged: CountSchema,
  skipped: CountSchema.meta({ description: 'Left alone, as they changed after the plan was made.' }),
  failed: CountSchema,
  undone: CountSchema,
});

const describe = ({ state, total, processed, changed }: Cleanup): string => {
  if (state === 'planned') return 'It was planned and not run.';
  if (state === 'awaiting_confirmation')
    return 'Nothing was changed yet: the user has to confirm it in Mailsweep. Tell the user so.';
  return `${state}: ${processed} of ${countOf(total, 'email')} done, ${changed} changed.`;
};

const toStatus = (cleanup: Cleanup): z.output<typeof StatusSchema> => ({
  planId: cleanup.id,
  state: cleanup.state,
  error: cleanup.error,
  batchId: cleanup.batchId,
  emails: cleanup.total,
  processed: cleanup.processed,
  changed: cleanup.changed,
  unchanged: cleanup.unchanged,
  skipped: cleanup.skipped,
  failed: cleanup.failed,
  undone: cleanup.undone,
});

/** @throws ToolError where it is not the plan that the user was shown, or was run */
const requirePlan = async (
  client: ApiClient,
  { planId, action, emails }: { planId: string; action: string; emails: number },
  signal: AbortSignal,
): Promise<void> => {
  const plan = await client.getCleanup({ params: { id: planId }, signal });
  if (plan.state !== 'planned')
    throw new ToolError(`Nothing was done: this plan is ${plan.state}. See cleanup_status. ${PLAN_AGAIN}`);
  if (plan.action !== action || plan.total !== emails)
    throw new ToolError(
      `Nothing was done: the plan is to ${plan.action} ${countOf(plan.total, 'email')}, which is not what was named. Show the plan to the user again.`,
    );
};

export const runCleanup = defineTool({
  name: 'run_cleanup',
  title: 'Run a planned cleanup',
  description:
    'Runs a plan that the user was shown and agreed to, within an hour. Name its action and number of emails as plan_cleanup returned them. It runs in the background, or waits until the user confirms it in Mailsweep: follow it with cleanup_status. undo takes it back.',
  scope: 'act',
  isDestructive: true,
  isIdempotent: true,
  input: z.object({ planId: PlanIdSchema, action: ActionSchema, emails: CountSchema }),
  output: StatusSchema,
  run: async ({ client, requiresConfirmation, signal, input }) => {
    await requirePlan(client, input, signal);
    const params = { id: input.planId };
    const cleanup = await client.runCleanup({ params, body: { requiresConfirmation }, signal });
    return { summary: describe(cleanup), data: toStatus(cleanup) };
  },
});

export const cleanupStatus = defineTool({
  name: 'cleanup_status',
  title: 'Status of a cleanup',
  description: 'Says how far a cleanup is, or what became of it. Changes nothing.',
  scope: 'read',
  input: z.object({ planId: PlanIdSchema }),
  output: StatusSchema,
  run: async ({ client, signal, input }) => {
    const cleanup = await client.getCleanup({ params: { id: input.planId }, signal });
    return { summary: describe(cleanup), data: toStatus(cleanup) };
  },
});
