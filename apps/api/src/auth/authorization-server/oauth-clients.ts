import { MAX_TOKEN_NAME_LENGTH, type UnknownClientReason } from '@mailsweep/contracts';
import { toPlainName } from '@mailsweep/service-kit';
import {
  type AddressPolicy,
  createGuardedCall,
  GuardedCallError,
  isPublicHttpsUrl,
  type ResolveAll,
} from '@mailsweep/service-kit/guarded-calls';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { isLoopback, isRedirectUri } from './redirect-uri.ts';

/** A program that may ask users for a token. */
export interface OAuthClient {
  id: string;
  /** What it calls itself. */
  name: string;
  redirectUris: readonly string[];
  /** Whether its document says that it uses refresh tokens. */
  renews: boolean;
}

/** Why there is no such client, and what helps its developer to find out more. */
export interface UnknownClient {
  reason: UnknownClientReason;
  cause?: string | undefined;
}

/** The one client that has no document of its own. */
export const COMMAND_LINE: OAuthClient = {
  id: 'mailsweep-cli',
  name: 'Mailsweep on the command line',
  redirectUris: ['http://127.0.0.1/callback'],
  renews: false,
};

export const MAX_CLIENT_ID_LENGTH = 512;
const MAX_BYTES = 10_000;
const TIMEOUT_MS = 5_000;
/** How long a document is used, and how long it is not requested again where there was none, in milliseconds. */
const FOUND_TTL_MS = 5 * 60_000;
const MISSING_TTL_MS = 30_000;
const MAX_REMEMBERED = 500;
const MAX_REDIRECT_URIS = 50;

/**
 * The document of a client, as far as we read it. Fields that a client without a secret must not have are refused. A client
 * may prefer to sign with a key, as ChatGPT does, as long as it says that it can do without.
 */
const DocumentSchema = z
  .object({
    client_id: z.string(),
    client_name: z
      .string()
      .transform((name) => toPlainName(name, name.length))
      .pipe(z.string().min(1).max(MAX_TOKEN_NAME_LENGTH)),
    redirect_uris: z
      .array(z.string())
      .max(MAX_REDIRECT_URIS)
      .transform((uris) => uris.filter(isRedirectUri)),
    token_endpoint_auth_method: z.string().default('none'),
    token_endpoint_auth_methods_supported: z.array(z.string()).default([]),
    client_secret: z.never().optional(),
    grant_types: z.array(z.string()).default([]),
  })
  .refine(
    (document) =>
      document.token_endpoint_auth_method === 'none' ||
      document.token_endpoint_auth_methods_supported.includes('none'),
    { path: ['token_endpoint_auth_method'] },
  );

/** Finds a client by its id. */
export type FindClient = (id: string) => Promise<OAuthClient | UnknownClient>;

export interface ClientDocumentOptions {
  policy: AddressPolicy;
  /** Whether programs in development may have their document on this computer, by http. */
  allowLoopback?: boolean;
  timeoutMs?: number;
  resolveAll?: ResolveAll;
  certificateAuthority?: string;
}

/**
 * Finds clients by the document at the address that is their id (draft-ietf-oauth-client-id-metadata-document). Anybody
 * names that address, so it is called with a guard, and what was found is remembered for some minutes.
 *
 * @returns what finds them for one request, given what is called before a document is requested, and may refuse it
 */
export const createFindClient = (options: ClientDocumentOptions): ((onLookUp: () => void) => FindClient) => {
  const createCall = (changes: Partial<ClientDocumentOptions>) =>
    createGuardedCall({
      timeoutMs: TIMEOUT_MS,
      ...options,
      ...changes,
      peer: 'client-document',
      keepsConnections: false,
      maxBodyBytes: MAX_BYTES,
    });
  const call = createCall({});
  const callLoopback = createCall({ policy: { allowPrivate: true } });

  const request = async (id: string): Promise<OAuthClient | UnknownClient> => {
    try {
      const headers = { accept: 'application/json' };
      const response = await (isLoopback(id) ? callLoopback : call)(id, { headers });
      if (response.status !== 200) return { reason: 'unreachable', cause: `status ${response.status}` };
      const type = response.contentType ?? '';
      if (!/^application\/([\w.-]+\+)?json\b/i.test(type))
        return { reason: 'invalid', cause: 'content-type' };
      const document = DocumentSchema.parse(JSON.parse(String(response.body)));
      if (document.client_id !== id) return { reason: 'other_id' };
      const renews = document.grant_types.includes('refresh_token');
      return { id, name: document.client_name, redirectUris: document.redirect_uris, renews };
    } catch (error) {
      if (error instanceof GuardedCallError) return { reason: 'unreachable', cause: error.code };
      if (error instanceof SyntaxError) return { reason: 'invalid', cause: 'JSON' };
      if (error instanceof z.ZodError) return { reason: 'invalid', cause: error.issues[0]?.path.join('.') };
      throw error;
    }
  };

  // Requests at the same time share one call.
  const found = new LRUCache<string, Promise<OAuthClient | UnknownClient>>({ max: MAX_REMEMBERED });

  return (onLookUp) => async (id) => {
    if (id === COMMAND_LINE.id) return COMMAND_LINE;
    if (!isClientUrl(id, options)) return { reason: 'invalid_id' };
    const known = found.get(id);
    if (known !== undefined) return known;
    onLookUp();
    const requested = request(id);
    found.set(id, requested, { ttl: FOUND_TTL_MS });
    try {
      const client = await requested;
      if ('reason' in client) found.set(id, requested, { ttl: MISSING_TTL_MS });
      return client;
    } catch (error) {
      found.delete(id);
      throw error;
    }
  };
};

/** An id as the draft has it: the normal form of an address, by https unless on this computer, with a path and without a fragment. */
const isClientUrl = (id: string, { policy, allowLoopback = false }: ClientDocumentOptions): boolean => {
  const isLocal = allowLoopback && isRedirectUri(id) && isLoopback(id);
  if (id.length > MAX_CLIENT_ID_LENGTH || !(isLocal || isPublicHttpsUrl(id, policy))) return false;
  const { href, pathname, hash } = new URL(id);
  return href === id && pathname !== '/' && hash === '' && !id.endsWith('#');
};
