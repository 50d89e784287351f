import { randomUUID } from 'node:crypto';
import { createSendWebhook, type WebhookResult } from '@mailsweep/service-kit/guarded-calls';
import { type DoctorContext, explainMissing, need } from '../context.ts';
import { error, type Findings, faultsOr, skipped, warning } from '../finding.ts';

/** The worker's own limit, and where a receiver comes near it, in milliseconds. */
const WORKER_TIMEOUT_MS = 15_000;
const SLOW_MS = 5_000;
/** n8n listens there for one call after somebody has pressed a button. */
const TEST_ADDRESS = /\/webhook-test(\/|$)/;

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

const describeFailure = (
  result: Exclude<WebhookResult, { outcome: 'accepted' }>,
  allowsPrivate: boolean,
  timeoutMs: number,
) => {
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
  if (reason === 'timeout')
    return {
      variable: 'WORKFLOW_WEBHOOK_URL',
      message: `The workflow service was called and did not answer within ${Math.round(timeoutMs / 1_000)} s; the worker waits ${WORKER_TIMEOUT_MS / 1_000} s.`,
      fix: 'Have the workflow answer first and work then (n8n: Respond “Immediately”); if nothing runs there, start it or correct the address.',
    };
  if (/CERT|SSL|TLS|SIGNATURE|ISSUER/.test(reason))
    return {
      variable: 'WORKFLOW_WEBHOOK_URL',
      message: `The certificate of the workflow service is not accepted (${reason}).`,
      fix: 'Have it serve a valid certificate with its chain, or call it by http in a private network.',
    };
  return {
    variable: 'WORKFLOW_WEBHOOK_URL',
    message: `The workflow service cannot be reached (${reason}).`,
    fix: 'Start it, or correct the address; the worker has to reach it, too.',
  };
};

/** Calls the workflow service as the worker does, signed, with a message that stands for nothing that happened. */
export const checkWebhook = async (context: DoctorContext): Promise<Findings> => {
  const { env, values } = context;
  if (env.WORKFLOW_WEBHOOK_URL === undefined && context.provided.size === 0)
    return skipped('WORKFLOW_WEBHOOK_URL is not set: no workflow service is called.');
  const url = need(context, 'WORKFLOW_WEBHOOK_URL');
  const malformed = (['WEBHOOK_SIGNING_SECRET', 'WEBHOOK_SIGNING_SECRET_PREVIOUS'] as const).find(
    (name) => env[name] !== undefined && values[name] === undefined,
  );
  if (malformed !== undefined) return skipped(explainMissing(context, malformed));
  const allowed = need(context, 'ALLOW_PRIVATE_ADDRESSES');
  if (TEST_ADDRESS.test(new URL(url).pathname))
    return error({
      variable: 'WORKFLOW_WEBHOOK_URL',
      message:
        'WORKFLOW_WEBHOOK_URL is a test address of n8n, which takes one call after “Listen for test event”.',
      why: 'Each later event gets 404 and is retried for a day, then given up.',
      fix: 'Activate the workflow, and copy the production address (/webhook/ in place of /webhook-test/).',
    });
  const signingSecrets = [values.WEBHOOK_SIGNING_SECRET, values.WEBHOOK_SIGNING_SECRET_PREVIOUS].filter(
    (secret) => secret !== undefined,
  );
  const timeoutMs = Math.min(context.leftMs(), WORKER_TIMEOUT_MS);
  const startedAtMs = performance.now();
  const send = createSendWebhook({
    url,
    signingSecrets,
    policy: { allowPrivate: allowed.has('webhook') },
    timeoutMs,
  });
  const result = await send(randomUUID(), {
    type: 'mailsweep.test',
    timestamp: new Date().toISOString(),
    data: {},
  });
  if (result.outcome !== 'accepted')
    return error({
      why: 'Workflows are not started; events are retried for a day, then given up.',
      ...describeFailure(result, allowed.has('webhook'), timeoutMs),
    });
  const tookMs = performance.now() - startedAtMs;
  if (result.contentType?.startsWith('text/html'))
    return error({
      variable: 'WORKFLOW_WEBHOOK_URL',
      message: 'A web page answers at WORKFLOW_WEBHOOK_URL, not a workflow.',
      why: 'Events count as delivered, and no workflow is started.',
      fix: 'Copy the address of the webhook from the workflow, not that of its editor or of a sign-in page.',
    });
  return faultsOr(
    'The workflow service accepted a signed test.',
    tookMs > SLOW_MS &&
      warning({
        variable: 'WORKFLOW_WEBHOOK_URL',
        message: `The workflow service took ${Math.round(tookMs / 1_000)} s to answer; the worker waits ${WORKER_TIMEOUT_MS / 1_000} s.`,
        why: 'A busier one answers too late: events are delivered again, and workflows start twice.',
        fix: 'Have the workflow answer first and work then (n8n: Respond “Immediately”).',
      }),
    signingSecrets.length === 0 &&
      warning({
        variable: 'WEBHOOK_SIGNING_SECRET',
        message: 'The workflow service answers, and calls are not signed.',
        why: 'It cannot tell them from calls of anybody who knows its address.',
        fix: `Set one in worker and receiver: node -p "'whsec_' + crypto.randomBytes(32).toString('base64')"`,
      }),
  );
};
