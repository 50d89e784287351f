import type { MlRequestItem, Suggestion } from '@mailsweep/contracts';
import { readMlResponse } from '@mailsweep/ml-client/reading';
import { createService, type Exchange } from '@mailsweep/ml-conformance';

/** As many as a page of suggestions has in the product. */
const EMAILS_PER_REQUEST = 100;
/** The whole call of the product has so long, in milliseconds. */
const BUDGET_MS = 5_000;

/** The service sent no response that can be judged. */
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
export const classifyEmails = async (
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
