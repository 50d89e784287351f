import { randomUUID } from 'node:crypto';
import { createSendWebhook, type WebhookResult } from '@mailsweep/worker/send-webhook';
import { type DoctorContext, explainMissing } from '../context.ts';
import { error, type Finding, ok, skipped, warning } from '../finding.ts';

const TIMEOUT_MS = 7_000;

/** Which line to change, by the status with which the workflow service answered. */
const describeStatus = (status: number): { variable: string; fix: string } => {
  if (status === 400 || status === 401 || status === 403)
    return {
      variable: 'WEBHOOK_SIGNING_SECRET',
      fix: 'Set the same secret in the receiver. A receiver has to accept types that it does not know, such as that of this test (mailsweep.test).',
    };
  if (status >= 300 && status < 400)
    return {
      variable: 'WORKFLOW_WEBHOOK_URL',
      fix: 'Redirects are not followed: set the address that it leads to.',
    };
  if (status === 404 || status === 405 || status === 410)
    return {
      variable: 'WORKFLOW_WEBHOOK_URL',
      fix: 'Copy the address from the workflow again, and activate the workflow (n8n has another address for tests).',
    };
  return { variable: 'WORKFLOW_WEBHOOK_URL', fix: 'Look at the log of the workflow service.' };
};

const describeFailure = (result: Exclude<WebhookResult, { outcome: 'accepted' }>, allowsPrivate: boolean) => {
  const status =
    result.outcome === 'refused' ? result.status : Number(/^status (\d+)$/.exec(result.reason)?.[1]);
  if (status)
    return { message: `The workflow service answers with status ${status}.`, ...describeStatus(status) };
  const reason = result.outcome === 'retry' ? result.reason : '';
  if (reason === 'address_refused')
    return allowsPrivate
      ? {
          variable: 'WORKFLOW_WEBHOOK_URL',
          message:
            'WORKFLOW_WEBHOOK_URL leads to an address that is never called: link-local, multicast or cloud metadata.',
          fix: 'Set the address of the workflow service.',
        }
      : {
          variable: 'ALLOW_PRIVATE_ADDRESSES',
          message:
            'WORKFLOW_WEBHOOK_URL leads to a private network, and ALLOW_PRIVATE_ADDRESSES does not name webhook.',
          fix: 'Use a public address, or add webhook to ALLOW_PRIVATE_ADDRESSES.',
        };
  return {
    variable: 'WORKFLOW_WEBHOOK_URL',
    message: `The workflow service cannot be reached (${reason}).`,
    fix: 'Start it, or correct the address; the worker has to reach it, too.',
  };
};

/** Calls the workflow service as the worker does, signed, with a message that stands for nothing that happened. */
export const checkWebhook = async (context: DoctorContext): Promise<Finding[]> => {
  const { env, values } = context;
  const { WORKFLOW_WEBHOOK_URL: url, ALLOW_PRIVATE_ADDRESSES: allowed } = values;
  if (env.WORKFLOW_WEBHOOK_URL === undefined && context.provided.size === 0)
    return [skipped('WORKFLOW_WEBHOOK_URL is not set: no workflow service is called.')];
  if (url === undefined) return [skipped(explainMissing(context, 'WORKFLOW_WEBHOOK_URL'))];
  const malformed = (['WEBHOOK_SIGNING_SECRET', 'WEBHOOK_SIGNING_SECRET_PREVIOUS'] as const).find(
    (name) => env[name] !== undefined && values[name] === undefined,
  );
  if (malformed !== undefined) return [skipped(explainMissing(context, malformed))];
  if (allowed === undefined) return [skipped(explainMissing(context, 'ALLOW_PRIVATE_ADDRESSES'))];
  const signingSecrets = [values.WEBHOOK_SIGNING_SECRET, values.WEBHOOK_SIGNING_SECRET_PREVIOUS].filter(
    (secret) => secret !== undefined,
  );
  const send = createSendWebhook({
    url,
    signingSecrets,
    policy: { allowPrivate: allowed.has('webhook') },
    timeoutMs: TIMEOUT_MS,
  });
  const result = await send(randomUUID(), {
    type: 'mailsweep.test',
    timestamp: new Date().toISOString(),
    data: {},
  });
  if (result.outcome !== 'accepted')
    return [
      error({
        why: 'Workflows are not started; events are retried for a day, then given up.',
        ...describeFailure(result, allowed.has('webhook')),
      }),
    ];
  if (signingSecrets.length === 0)
    return [
      warning({
        variable: 'WEBHOOK_SIGNING_SECRET',
        message: 'The workflow service answers, and calls are not signed.',
        why: 'It cannot tell them from calls of anybody who knows its address.',
        fix: `Set one in worker and receiver: node -p "'whsec_' + crypto.randomBytes(32).toString('base64')"`,
      }),
    ];
  return [ok('The workflow service accepted a signed test.')];
};
