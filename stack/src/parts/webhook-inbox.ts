import { answersAt } from '../supervision/readiness.ts';
import type { Part } from '../supervision/supervisor.ts';
import type { StackPlan } from './stack-plan.ts';

/** The stand-in for a workflow service; none when the address of a real one is given. */
export const createWebhookInboxPart = (plan: StackPlan): Part | null => {
  if (plan.addresses.webhookInbox === null) return null;
  return {
    name: 'webhookInbox',
    title: 'Webhook inbox',
    command: {
      module: new URL('../webhook-inbox/main.ts', import.meta.url),
      env: {
        ...plan.environment,
        PORT: String(plan.ports.webhookInbox),
        WEBHOOK_SIGNING_SECRET: plan.webhookSigningSecret,
      },
    },
    isReady: () => answersAt(`${plan.addresses.webhookInbox}/health`),
    startTimeoutMs: 30_000,
    stopTimeoutMs: 1_000,
  };
};
