import type { MlRequestItem, Suggestion } from '@mailsweep/contracts';
import { readMlResponse } from '@mailsweep/ml-client/reading';
import { createService, type Exchange } from '@mailsweep/ml-conformance';
import { type Evaluation, evaluate } from './evaluation.ts';
import type { LabelledEmail } from './labelled-email.ts';

/** As many as a page of suggestions has in the product. */
const EMAILS_PER_REQUEST = 100;
/** The whole call of the product has so long, in milliseconds. */
const BUDGET_MS = 5_000;

export class ServiceFailedError extends Error {
  override readonly name = 'ServiceFailedError';
}

const readResponse = (exchange: Exchange, ids: readonly string[], url: string): Map<string, Suggestion[]> => {
  const { response, failure } = exchange;
  if (response === undefined) throw new ServiceFailedError(`${url} sent no response: ${failure}.`);
  if (response.status === 401)
    throw new ServiceFailedError(`${url} does not accept the token: it needs the same INTERNAL_JWT_SECRET.`);
  if (response.status !== 200) throw new ServiceFailedError(`${url} sent status ${response.status}.`);
  try {
    return readMlResponse(response.json, ids);
  } catch (cause) {
    throw new ServiceFailedError(`${url} sent a response in a form that the contract does not know.`, {
      cause,
    });
  }
};

/**
 * Has a service classify emails, a hundred in a request, one request after the other. Responses are read as the product
 * reads them: an email that is left out has no suggestions, and malformed ones are dropped.
 *
 * @param options.url - of the service; `/v1/suggest` is added
 * @param options.secret - what it verifies tokens with
 * @param options.onProgress - told how many emails are classified
 * @throws {ServiceFailedError} at the first request without a usable response; the signal's reason once it is aborted
 */
const classifyEmails = async (
  emails: readonly MlRequestItem[],
  options: { url: string; secret: string; signal: AbortSignal; onProgress?: (count: number) => void },
): Promise<Map<string, Suggestion[]>> => {
  const { url, secret, signal, onProgress } = options;
  const service = createService({ baseUrl: url, secret, budgetMs: BUDGET_MS });
  const suggestionsById = new Map<string, Suggestion[]>();
  for (let start = 0; start < emails.length; start += EMAILS_PER_REQUEST) {
    signal.throwIfAborted();
    const part = emails.slice(start, start + EMAILS_PER_REQUEST);
    const exchange = await service.ask(part, { giveUpMs: BUDGET_MS });
    const ids = part.map(({ id }) => id);
    for (const [id, suggestions] of readResponse(exchange, ids, service.url))
      suggestionsById.set(id, suggestions);
    onProgress?.(suggestionsById.size);
  }
  return suggestionsById;
};

/** An email for which two services suggest different actions first. */
export interface Difference {
  email: MlRequestItem;
  kind?: string | undefined;
  actions: readonly string[];
  first: Suggestion | null;
  second: Suggestion | null;
}

/** An email that would be archived or deleted, though that is wrong. */
export interface WrongClear {
  email: MlRequestItem;
  kind?: string | undefined;
  actions: readonly string[];
  suggestion: Suggestion;
}

export interface ServiceEvaluation extends Omit<Evaluation, 'judged'> {
  url: string;
  /** The emails behind `falseClears`, deletions and personal ones first. */
  wrongClears: WrongClear[];
}

export interface EvaluationReport {
  emails: number;
  services: ServiceEvaluation[];
  /** Empty where one service was evaluated. */
  differences: Difference[];
}

const findDifferences = (
  labelled: readonly LabelledEmail[],
  [first, second]: readonly Evaluation[],
): Difference[] =>
  labelled.flatMap(({ email, kind, actions }, index) => {
    const [ours, theirs] = [first?.judged[index], second?.judged[index]];
    if (ours === undefined || theirs === undefined || ours.predicted === theirs.predicted) return [];
    return [{ email, kind, actions, first: ours.best ?? null, second: theirs.best ?? null }];
  });

const findWrongClears = (labelled: readonly LabelledEmail[], { judged }: Evaluation): WrongClear[] =>
  labelled
    .flatMap(({ email, kind, actions }, index): WrongClear[] => {
      const { best, isRight = true } = judged[index] ?? {};
      const isClear = best?.action === 'archive' || best?.action === 'delete';
      return best && isClear && !isRight ? [{ email, kind, actions, suggestion: best }] : [];
    })
    .toSorted(
      (a, b) =>
        Number(b.suggestion.action === 'delete') - Number(a.suggestion.action === 'delete') ||
        Number(b.kind === 'personal') - Number(a.kind === 'personal'),
    );

/**
 * Has services classify the same labelled emails, one service after the other, and judges their responses.
 *
 * @param options.urls - one service, or two to compare
 * @param options.secret - what they verify tokens with (`INTERNAL_JWT_SECRET`)
 * @throws {ServiceFailedError} where one sends no usable response
 */
export const evaluateServices = async (
  labelled: readonly LabelledEmail[],
  options: {
    urls: readonly string[];
    secret: string;
    signal: AbortSignal;
    onProgress?: (url: string, count: number) => void;
  },
): Promise<EvaluationReport> => {
  const { urls, secret, signal, onProgress } = options;
  const emails = labelled.map(({ email }) => email);
  const evaluated: { url: string; evaluation: Evaluation }[] = [];
  for (const url of urls) {
    const suggestionsById = await classifyEmails(emails, {
      url,
      secret,
      signal,
      onProgress: (count) => onProgress?.(url, count),
    });
    evaluated.push({ url, evaluation: evaluate(labelled, suggestionsById) });
  }
  return {
    emails: labelled.length,
    services: evaluated.map(({ url, evaluation }) => {
      const { judged: _, ...figures } = evaluation;
      return { url, ...figures, wrongClears: findWrongClears(labelled, evaluation) };
    }),
    differences: findDifferences(
      labelled,
      evaluated.map(({ evaluation }) => evaluation),
    ),
  };
};
