import { MAX_TOKEN_NAME_LENGTH } from '@mailsweep/contracts';
import {
  type AddressPolicy,
  createGuardedCall,
  GuardedCallError,
  isPublicHttpsUrl,
  type ResolveAll,
} from '@mailsweep/service-kit/guarded-calls';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { isRedirectUri } from './redirect-uri.ts';

/** A program that may ask users for a token. */
export interface OAuthClient {
  id: string;
  /** What it calls itself. */
  name: string;
  redirectUris: readonly string[];
}

/** The one client that has no document of its own. */
export const COMMAND_LINE: OAuthClient = {
  id: 'mailsweep-cli',
  name: 'Mailsweep on the command line',
  redirectUris: ['http://127.0.0.1/callback'],
};

const MAX_ID_LENGTH = 512;
const MAX_BYTES = 10_000;
const TIMEOUT_MS = 5_000;
/** How long a document is used, and how long it is not requested again where there was none, in milliseconds. */
const FOUND_TTL_MS = 5 * 60_000;
const MISSING_TTL_MS = 30_000;
const MAX_REMEMBERED = 500;
const MAX_REDIRECT_URIS = 50;

/** The document of a client, as far as we read it. Fields that a client without a secret must not have are refused. */
const DocumentSchema = z.object({
  client_id: z.string(),
  client_name: z
    .string()
    .transform((name) => name.replace(/[\p{Cc}\p{Cf}]/gu, '').trim())
    .pipe(z.string().min(1).max(MAX_TOKEN_NAME_LENGTH)),
  redirect_uris: z
    .array(z.string())
    .max(MAX_REDIRECT_URIS)
    .transform((uris) => uris.filter(isRedirectUri)),
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.never().optional(),
});

/** Finds a client by its id; null where there is none. */
export type FindClient = (id: string) => Promise<OAuthClient | null>;

export interface ClientDocumentOptions {
  policy: AddressPolicy;
  timeoutMs?: number;
  resolveAll?: ResolveAll;
  certificateAuthority?: string;
}

/**
 * Finds clients by the document at the address that is their id (draft-ietf-oauth-client-id-metadata-document). Anybody
 * names that address, so it is called with a guard, and what was found is remembered for some minutes.
 */
export const createFindClient = (options: ClientDocumentOptions): FindClient => {
  const call = createGuardedCall({
    timeoutMs: TIMEOUT_MS,
    ...options,
    peer: 'client-document',
    keepsConnections: false,
    maxBodyBytes: MAX_BYTES,
  });

  const request = async (id: string): Promise<OAuthClient | null> => {
    try {
      const { status, contentType, body } = await call(id, { headers: { accept: 'application/json' } });
      if (status !== 200 || !/^application\/([\w.-]+\+)?json\b/i.test(contentType ?? '')) return null;
      const document = DocumentSchema.parse(JSON.parse(String(body)));
      if (document.client_id !== id) return null;
      return { id, name: document.client_name, redirectUris: document.redirect_uris };
    } catch (error) {
      const isTheirs = [GuardedCallError, SyntaxError, z.ZodError].some((kind) => error instanceof kind);
      if (isTheirs) return null;
      throw error;
    }
  };

  // Requests at the same time share one call.
  const found = new LRUCache<string, Promise<OAuthClient | null>>({ max: MAX_REMEMBERED });

  return async (id) => {
    if (id === COMMAND_LINE.id) return COMMAND_LINE;
    if (!isClientUrl(id, options.policy)) return null;
    const known = found.get(id);
    if (known !== undefined) return known;
    const requested = request(id);
    found.set(id, requested, { ttl: FOUND_TTL_MS });
    try {
      const client = await requested;
      if (client === null) found.set(id, requested, { ttl: MISSING_TTL_MS });
      return client;
    } catch (error) {
      found.delete(id);
      throw error;
    }
  };
};

/** An id as the draft has it: the normal form of an https address with a path and without a fragment. */
const isClientUrl = (id: string, policy: AddressPolicy): boolean => {
  if (id.length > MAX_ID_LENGTH || !isPublicHttpsUrl(id, policy)) return false;
  const { href, pathname, hash } = new URL(id);
  return href === id && pathname !== '/' && hash === '' && !id.endsWith('#');
};
