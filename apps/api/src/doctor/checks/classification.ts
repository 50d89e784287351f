import { randomUUID } from 'node:crypto';
import type { MlRequestItem } from '@mailsweep/contracts';
import { createMlClient, MlUnavailableError } from '@mailsweep/ml-client';
import { deriveKey } from '@mailsweep/provider-connection';
import { type DoctorContext, explainMissing } from '../context.ts';
import { error, type Finding, ok, skipped, warning } from '../finding.ts';

/** Longest wait, whatever ML_TIMEOUT_MS says. */
const LONGEST_WAIT_MS = 7_000;
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

const describeStatus = (status: number): { variable: string; message: string; fix: string } => {
  if (status === 401 || status === 403)
    return {
      variable: 'INTERNAL_JWT_SECRET',
      message: `The classification service does not accept our token (status ${status}).`,
      fix: 'Set the same INTERNAL_JWT_SECRET in API, worker and classification service; where it is set, compare their clocks.',
    };
  if (status === 404 || (status >= 300 && status < 400))
    return {
      variable: 'ML_BASE_URL',
      message: `There is no POST /v1/suggest below ML_BASE_URL (status ${status}).`,
      fix: 'Set ML_BASE_URL to the address before /v1/suggest, as it is after redirects.',
    };
  return {
    variable: 'ML_BASE_URL',
    message: `The classification service answers with status ${status}.`,
    fix: 'Look at its log.',
  };
};

const describeFailure = (failure: MlUnavailableError, timeoutMs: number) => {
  const variable = 'ML_BASE_URL';
  switch (failure.code) {
    case 'ml_status':
      return describeStatus(failure.status ?? 0);
    case 'ml_timeout':
      return {
        variable: 'ML_TIMEOUT_MS',
        message: `The classification service did not answer within ${timeoutMs} ms.`,
        fix: 'Look at its log and load. ML_TIMEOUT_MS is the budget; people wait as long.',
      };
    case 'ml_network': {
      const { cause } = failure;
      const code = cause instanceof Error && 'code' in cause ? ` (${cause.code})` : '';
      return {
        variable,
        message: `The classification service cannot be reached${code}.`,
        fix: 'Start it, or correct ML_BASE_URL.',
      };
    }
    default:
      return {
        variable,
        message: `The answer of the classification service is not what the contract says (${failure.code}).`,
        fix: 'Compare it with docs/INTEGRATION.md, "Use your own classification service"; or another server is at ML_BASE_URL.',
      };
  }
};

/** Has a made-up email classified. */
export const checkClassification = async (context: DoctorContext): Promise<Finding[]> => {
  const { ML_BASE_URL: baseUrl, TOKEN_ENCRYPTION_KEY: key, INTERNAL_JWT_SECRET: given } = context.values;
  if (baseUrl === undefined) return [skipped(explainMissing(context, 'ML_BASE_URL'))];
  const tokenSecret =
    given ??
    (context.env.INTERNAL_JWT_SECRET === undefined && key ? deriveKey(key, 'internal-jwt') : undefined);
  if (tokenSecret === undefined) return [skipped(explainMissing(context, 'INTERNAL_JWT_SECRET'))];
  const budgetMs = context.values.ML_TIMEOUT_MS ?? LONGEST_WAIT_MS;
  const timeoutMs = Math.min(budgetMs, LONGEST_WAIT_MS);
  const client = createMlClient({ baseUrl, timeoutMs, tokenSecret });
  const why = 'People see emails without suggestions, and scans wait.';
  const startedAt = performance.now();
  try {
    await client.suggest([MADE_UP_EMAIL], {
      userId: randomUUID(),
      requestId: 'mailsweep-doctor',
    });
    const tookMs = Math.round(performance.now() - startedAt);
    if (tookMs > budgetMs * SLOW_SHARE)
      return [
        warning({
          variable: 'ML_TIMEOUT_MS',
          message: `One email took ${tookMs} ms to classify, of a budget of ${budgetMs} ms for up to a hundred.`,
          why,
          fix: 'Give the classification service more to run on, or raise ML_TIMEOUT_MS.',
        }),
      ];
    return [ok(`A made-up email was classified within ${tookMs} ms.`)];
  } catch (cause) {
    if (!(cause instanceof MlUnavailableError)) throw cause;
    return [error({ why, ...describeFailure(cause, timeoutMs) })];
  }
};
