import { ACCESS_ERRORS, MailboxError } from '@mailsweep/mail/mailbox';
import { HttpExchangeError } from '@mailsweep/service-kit/http-client';
import { GMAIL_BASE_URL, toHeaders, toProfileRequest, toRoot, toTarget } from './gmail-requests.ts';
import { toResponseError } from './http/gmail-errors.ts';
import { exchangeWithGmail } from './http/gmail-exchange.ts';

/** A user waits for a redirect, and transient errors do not matter here. */
const TIMEOUT_MS = 3_000;
/** The profile takes less than 100 bytes, an error response some 2,000. */
const MAX_RESPONSE_BYTES = 64 * 1024;

/**
 * Asks Gmail once whether a mailbox can be used at all with an access token. Costs one quota unit (`users.getProfile`),
 * which no governor counts: the user may not be known yet.
 *
 * @param options.baseUrl - address of the Gmail API, Google's own by default
 * @returns one of {@link ACCESS_ERRORS}; undefined when there is none, or when that is not known now
 */
export const findAccessError = async (options: {
  baseUrl?: string | undefined;
  accessToken: string;
}): Promise<MailboxError | undefined> => {
  const request = toProfileRequest();
  try {
    const response = await exchangeWithGmail({
      method: request.method,
      url: new URL(`${toRoot(options.baseUrl ?? GMAIL_BASE_URL)}${toTarget(request)}`),
      headers: toHeaders(options.accessToken),
      timeoutMs: TIMEOUT_MS,
      maxResponseBytes: MAX_RESPONSE_BYTES,
    });
    if (response.status < 400) return undefined;
    const { code, message } = toResponseError(response, Date.now());
    return ACCESS_ERRORS.has(code) ? new MailboxError(code, message) : undefined;
  } catch (error) {
    if (error instanceof HttpExchangeError) return undefined;
    throw error;
  }
};
