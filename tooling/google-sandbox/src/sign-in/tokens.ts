import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PREFIXES = { access: 'ya29.', refresh: '1//' } as const;
type TokenKind = keyof typeof PREFIXES;

const GrantSchema = z.object({
  /** The same in every token that comes from one consent. */
  grantId: z.string(),
  email: z.string(),
  clientId: z.string(),
  scope: z.string(),
});
export type Grant = z.infer<typeof GrantSchema>;
const TokenContentSchema = GrantSchema.extend({ kind: z.string(), expiresAtMs: z.number().nullable() });

/**
 * Issues tokens that carry their grant, sealed under a key. So they outlive a restart of the sandbox, which keeps
 * a list of those that were revoked alone.
 */
export const createTokenMint = (options: {
  key: Buffer;
  accessTokenTtlSeconds: number;
  /** Life of the refresh tokens issued now; none, or 0, for no end. */
  refreshTokenTtlSeconds?: () => number;
  /** Grants that have ended; none at first, in memory, where it is left out. */
  revokedGrants?: { has(grantId: string): boolean; add(grantId: string): void };
  nowMs: () => number;
}) => {
  const { key, accessTokenTtlSeconds, refreshTokenTtlSeconds = () => 0, nowMs } = options;
  const { revokedGrants = new Set<string>() } = options;

  const mint = (kind: TokenKind, grant: Grant, expiresAtMs: number | null): string =>
    PREFIXES[kind] + seal(key, JSON.stringify({ ...grant, kind, expiresAtMs }));

  const read = (kind: TokenKind, token: string): Grant | null => {
    if (!token.startsWith(PREFIXES[kind])) return null;
    const text = unseal(key, token.slice(PREFIXES[kind].length));
    if (text === null) return null;
    const { kind: ownKind, expiresAtMs, ...grant } = TokenContentSchema.parse(JSON.parse(text));
    const isExpired = expiresAtMs !== null && expiresAtMs <= nowMs();
    return ownKind !== kind || isExpired || revokedGrants.has(grant.grantId) ? null : grant;
  };

  return {
    access: (grant: Grant) => ({
      token: mint('access', grant, nowMs() + accessTokenTtlSeconds * 1_000),
      expiresInSeconds: accessTokenTtlSeconds,
    }),
    refresh(grant: Grant): string {
      const ttlSeconds = refreshTokenTtlSeconds();
      return mint('refresh', grant, ttlSeconds > 0 ? nowMs() + ttlSeconds * 1_000 : null);
    },
    /** The grant behind a token; null when the token is forged, expired, revoked or of another kind. */
    read,
    /** Ends the grant behind a token of either kind, with all its tokens; null when the token was dead already. */
    revoke(token: string): Grant | null {
      const grant = read('access', token) ?? read('refresh', token);
      if (grant) revokedGrants.add(grant.grantId);
      return grant;
    },
  };
};

export type TokenMint = ReturnType<typeof createTokenMint>;

const seal = (key: Buffer, text: string): string => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
};

const unseal = (key: Buffer, sealed: string): string | null => {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    const head = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([head, decipher.final()]).toString('utf8');
  } catch {
    // Node reports a forged or foreign token by throwing.
    return null;
  }
};
