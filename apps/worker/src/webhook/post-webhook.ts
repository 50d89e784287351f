import type { AddressPolicy } from './address-policy.ts';
import type { ResolveAll } from './guarded-lookup.ts';
import { createGuardedPost, GuardedCallError, type GuardedResponse } from './guarded-post.ts';

/** The call failed. The message names neither address nor body: webhook addresses are often secret. */
export class WebhookCallError extends Error {
  override readonly name = 'WebhookCallError';
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`the webhook call failed: ${code}`, options);
    this.code = code;
  }
}

export type WebhookResponse = GuardedResponse;

/** Makes one call and resolves to the response, whatever its status. */
export type PostWebhook = (call: {
  headers: Record<string, string>;
  body: string;
}) => Promise<WebhookResponse>;

/**
 * Prepares calls to the workflow service.
 *
 * @throws {WebhookCallError} from the calls, when there is no response or the address may not be called
 */
export const createWebhookPost = (options: {
  url: string;
  policy: AddressPolicy;
  timeoutMs?: number;
  resolveAll?: ResolveAll;
}): PostWebhook => {
  const { url, ...guard } = options;
  const post = createGuardedPost({ ...guard, keepsConnections: true });
  return async (call) => {
    try {
      return await post(url, call);
    } catch (error) {
      if (!(error instanceof GuardedCallError)) throw error;
      throw new WebhookCallError(error.code, { cause: error.cause });
    }
  };
};
