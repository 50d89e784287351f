import { listenOnLoopback } from '@mailsweep/service-kit';
import { respondsAt } from '../supervision/readiness.ts';
import type { HostedPart } from '../supervision/supervisor.ts';
import { createWebhookInbox } from '../webhook-inbox/create-webhook-inbox.ts';
import type { StackPlan } from './stack-plan.ts';

/** The substitute for a workflow service; none when the address of a real one is given. */
export const createWebhookInboxPart = (plan: StackPlan): HostedPart | null => {
  if (plan.addresses.webhookInbox === null) return null;
  return {
    name: 'webhookInbox',
    title: 'Webhook inbox',
    open: () =>
      listenOnLoopback(
        createWebhookInbox({ signingSecret: plan.webhookSigningSecret }),
        plan.ports.webhookInbox,
      ),
    isReady: () => respondsAt(`${plan.addresses.webhookInbox}/health`),
    startTimeoutMs: 30_000,
    stopTimeoutMs: 1_000,
  };
};
