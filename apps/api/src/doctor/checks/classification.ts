import { randomUUID } from 'node:crypto';
import type { MlRequestItem } from '@mailsweep/contracts';
import { deriveKey } from '@mailsweep/mail/provider-connection';
import { createMlClient, MlUnavailableError } from '@mailsweep/ml-client';
import { type DoctorContext, need } from '../context.ts';
import { error, type Findings, ok, warning } from '../finding.ts';

/** The budget of the shadow; it is no variable. */
const SHADOW_BUDGET_MS = 5_000;
/** Share of the budget from which on a busy service would miss it. */
const SLOW_SHARE = 0.5;

/** Of nobody: RFC 2606 reserves the domain. */
const MADE_UP_EMAIL: MlRequestItem = {
  id: 'mailsweep-doctor',
  from: 'Shop <offers@example.com>',
  subject: 'A made-up newsletter',
  date: '2026-01-05T08:00:00.000Z',
  isRead: true,
  category: 'promotions',
  attachmentSizeMb: 0,
};

/** One of the classification services, as findings name it. */
interface Service {
  variable: 'ML_BASE_URL' | 'ML_SHADOW_URL';
  name: string;
}

const PRIMARY: Service = { variable: 'ML_BASE_URL', name: 'The classification service' };
const SHADOW: Service = { variable: 'ML_SHADOW_URL', name: 'The shadow classification service' };

const describeStatus = (status: number, { variable, name }: Service) => {
  if (status === 401 || status === 403)
    return {
      variable: 'INTERNAL_JWT_SECRET',
      message: `${name} does not accept our token (status ${status}).`,
      fix: 'Set the same INTERNAL_JWT_SECRET in API, worker and classification service; where it is set, compare their clocks.',
    };
  if (status === 404 || (status >= 300 && status < 400))
    return {
      variable,
      message: `There is no POST /v1/suggest below ${variable} (status ${status}).`,
      fix: `Set ${variable} to the address before /v1/suggest, as it is after redirects.`,
    };
  return { variable, message: `${name} answers with status ${status}.`, fix: 'Look at its log.' };
};

const describeFailure = (failure: MlUnavailableError, service: Service, timeoutMs: number) => {
  const { variable, name } = service;
  switch (failure.code) {
    case 'ml_status':
      return describeStatus(failure.status ?? 0, service);
    case 'ml_timeout': {
      const message = `${name} did not answer within ${timeoutMs} ms.`;
      if (service === SHADOW) return { variable, message, fix: 'Look at its log and load.' };
      return {
        variable: 'ML_TIMEOUT_MS',
        message,
        fix: 'Look at its log and load. ML_TIMEOUT_MS is the budget; people wait as long.',
      };
    }
    case 'ml_network': {
      const { cause } = failure;
      const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
      return {
        variable,
        message: `${name} cannot be reached${code}.`,
        fix: `Start it, or correct ${variable}.`,
      };
    }
    default:
      return {
        variable,
        message: `The answer of ${name.replace(/^T/, 't')} is not what the contract says (${failure.code}).`,
        fix: `Compare it with docs/ML-CONTRACT.md; or another server is at ${variable}.`,
      };
  }
};

/**
 * Has a service classify a made-up email.
 *
 * @returns how long it took, in milliseconds
 * @throws {MlUnavailableError} when it gave no usable answer
 */
const classifyMadeUpEmail = async (
  baseUrl: string,
  tokenSecret: string | Buffer,
  timeoutMs: number,
): Promise<number> => {
  const client = createMlClient({ baseUrl, timeoutMs, tokenSecret });
  const ask = async () => {
    const startedAtMs = performance.now();
    await client.suggest([MADE_UP_EMAIL], { userId: randomUUID(), requestId: 'mailsweep-doctor' });
    return Math.round(performance.now() - startedAtMs);
  };
  const isTimeout = (cause: unknown) => cause instanceof MlUnavailableError && cause.code === 'ml_timeout';
  const first = await ask().catch((cause: unknown) => {
    if (isTimeout(cause)) return Number.POSITIVE_INFINITY;
    throw cause;
  });
  // One that has just started, or a machine that is busy just now, is slow once.
  return first > timeoutMs * SLOW_SHARE ? Math.min(first, await ask()) : first;
};

const findTokenSecret = (context: DoctorContext): string | Buffer => {
  const { TOKEN_ENCRYPTION_KEY: key } = context.values;
  if (context.env.INTERNAL_JWT_SECRET === undefined && key) return deriveKey(key, 'internal-jwt');
  return need(context, 'INTERNAL_JWT_SECRET');
};

export const checkClassification = async (context: DoctorContext): Promise<Findings> => {
  const baseUrl = need(context, 'ML_BASE_URL');
  const tokenSecret = findTokenSecret(context);
  // Where it is slow it is asked twice.
  const longestMs = Math.round(context.leftMs() / 2);
  const budgetMs = context.values.ML_TIMEOUT_MS ?? longestMs;
  const timeoutMs = Math.min(budgetMs, longestMs);
  const why = 'People see emails without suggestions, and scans wait.';
  try {
    const tookMs = await classifyMadeUpEmail(baseUrl, tokenSecret, timeoutMs);
    if (tookMs > budgetMs * SLOW_SHARE)
      return warning({
        variable: 'ML_TIMEOUT_MS',
        message: `One email took ${tookMs} ms to classify, of a budget of ${budgetMs} ms for up to a hundred.`,
        why,
        fix: 'Give the classification service more to run on, or raise ML_TIMEOUT_MS.',
      });
    return ok(`A made-up email was classified within ${tookMs} ms.`);
  } catch (cause) {
    if (!(cause instanceof MlUnavailableError)) throw cause;
    return error({ why, ...describeFailure(cause, PRIMARY, timeoutMs) });
  }
};

/** Has the shadow classify it, too. What is wrong there is a warning: users notice nothing of it. */
export const checkShadow = async (context: DoctorContext): Promise<Findings> => {
  if (context.env.ML_SHADOW_URL === undefined)
    return ok('ML_SHADOW_URL is not set: one classification service is asked.');
  const shadowUrl = need(context, 'ML_SHADOW_URL');
  const tokenSecret = findTokenSecret(context);
  if (shadowUrl === context.values.ML_BASE_URL)
    return warning({
      variable: 'ML_SHADOW_URL',
      message: 'ML_SHADOW_URL and ML_BASE_URL are the same address.',
      why: 'The service is asked twice and compared with itself.',
      fix: 'Set ML_SHADOW_URL to the service to judge, or remove it.',
    });
  try {
    const timeoutMs = Math.min(SHADOW_BUDGET_MS, Math.round(context.leftMs() / 2));
    const tookMs = await classifyMadeUpEmail(shadowUrl, tokenSecret, timeoutMs);
    return ok(`The shadow classified a made-up email within ${tookMs} ms.`);
  } catch (cause) {
    if (!(cause instanceof MlUnavailableError)) throw cause;
    const why = 'The shadow cannot be compared with the classification service; people notice nothing.';
    return warning({ why, ...describeFailure(cause, SHADOW, SHADOW_BUDGET_MS) });
  }
};
