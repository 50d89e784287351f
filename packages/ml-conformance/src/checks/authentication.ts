import type { Clause } from '../clauses.ts';
import { USUAL_EMAILS } from '../emails.ts';
import { type Check, describeResponse } from '../finding.ts';
import type { Service } from '../service.ts';
import type { TokenKind } from '../tokens.ts';

const REFUSED: readonly [kind: TokenKind, clause: Clause, name: string, change: string][] = [
  ['missing', 'token-required', 'no token', 'refuse requests without the header Authorization: Bearer …'],
  ['malformed', 'token-signature', 'a token that was cut short', 'verify the signature'],
  [
    'wrong_secret',
    'token-signature',
    'a token of another secret',
    'verify the signature with INTERNAL_JWT_SECRET',
  ],
  [
    'unsigned',
    'token-algorithm',
    'an unsigned token',
    'accept HS256 alone, not what the token says of itself',
  ],
  ['wrong_algorithm', 'token-algorithm', 'a token with HS512', 'accept HS256 alone'],
  ['expired', 'token-expiry', 'a token that expired an hour ago', 'compare `exp` with the clock'],
  ['no_expiry', 'token-expiry', 'a token without `exp`', 'require `exp`'],
  ['wrong_audience', 'token-audience', 'a token for another audience', 'require the audience `ml`'],
  ['wrong_issuer', 'token-issuer', 'a token of another issuer', 'require the issuer `mailsweep-api`'],
];

export const authenticationChecks = (service: Service): Check[] =>
  REFUSED.map(([token, clause, name, change]) => ({
    clause,
    name: `${name} is refused`,
    async run() {
      const exchange = await service.ask(USUAL_EMAILS, { token });
      if (exchange.response?.status === 401) return [];
      const what = `${name}: expected 401, got ${describeResponse(exchange)}`;
      return [{ clause, severity: 'error', what, change: `${change}; respond with 401`, exchange }];
    },
  }));
