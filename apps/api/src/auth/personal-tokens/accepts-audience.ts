import type { TokenAudience } from '@mailsweep/contracts';

/**
 * Whether a resource takes a token. A token that a program was given is for one resource (RFC 8707); a token that the user
 * made is for whatever they send it to.
 */
export const acceptsAudience = (
  resource: TokenAudience,
  token: { audience: TokenAudience; clientId: string | null },
): boolean => token.audience === resource || (token.audience === 'api' && token.clientId === null);
