import type { AccessTokenSource } from '../access-token-source.ts';

export interface FakeAccessTokens extends AccessTokenSource {
  /** The tokens that a renewal was asked for. */
  readonly refused: string[];
}

/** Hands out `token-1` until it is renewed, then `token-2`, and so on; a token that is no longer current is not renewed again. */
export const createFakeAccessTokens = (): FakeAccessTokens => {
  let number = 1;
  const refused: string[] = [];
  const current = (): string => `token-${number}`;
  return {
    refused,
    current: async () => current(),
    async renew(token) {
      refused.push(token);
      if (token === current()) number += 1;
      return current();
    },
  };
};
