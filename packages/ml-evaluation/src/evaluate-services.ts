import type { MlRequestItem, Suggestion } from '@mailsweep/contracts';
import { type Evaluation, evaluate } from './evaluation.ts';
import type { LabelledEmail } from './labelled-email.ts';
import { classifyEmails } from './reading/classify-emails.ts';

/** An email for which two services suggest different actions first. */
export interface Difference {
  email: MlRequestItem;
  kind?: string | undefined;
  /** The actions that are right. */
  actions: readonly string[];
  first: Suggestion | null;
  second: Suggestion | null;
}

export interface ServiceEvaluation extends Omit<Evaluation, 'judged'> {
  url: string;
}

export interface EvaluationReport {
  /** How many were judged. */
  emails: number;
  /** One service, or the two that are compared. */
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
    services: evaluated.map(({ url, evaluation: { judged: _, ...figures } }) => ({ url, ...figures })),
    differences: findDifferences(
      labelled,
      evaluated.map(({ evaluation }) => evaluation),
    ),
  };
};
