import { parseJson } from '@mailsweep/service-kit/http-client';
import { readCapped } from '@mailsweep/service-kit/resilience';
import { inHttpCall } from '@mailsweep/service-kit/tracing';
import { z } from 'zod';
import { OidcError } from '../oidc-error.ts';

/** Longest wait for the session, in milliseconds. */
const TIMEOUT_MS = 4_000;
/** Sessions list accounts and capabilities: some kilobytes, more with many shared accounts. */
const MAX_BYTES = 1024 * 1024;
const MAIL = 'urn:ietf:params:jmap:mail';

/** What is read of a JMAP session (RFC 8620, section 2). */
const SessionSchema = z.object({
  username: z.string(),
  primaryAccounts: z.record(z.string(), z.string()),
  accounts: z.record(
    z.string().regex(/^[\w-]{1,255}$/),
    z.object({ name: z.string(), isPersonal: z.boolean(), isReadOnly: z.boolean() }),
  ),
});

/** The account of a user's own mail. */
export interface JmapAccount {
  accountId: string;
  /** What the server calls its user: an address at most servers. */
  username: string;
}

/**
 * Reads whose mailbox a token opens. Redirects are followed, but the token goes to the origin of `sessionUrl` alone
 * (Fetch, "HTTP-redirect fetch").
 *
 * @throws {OidcError} `invalid_grant` when the server does not accept the token, `missing_scope` when it may not change
 *   the mailbox, `mail_service_disabled` when its user has no mailbox of their own
 */
export const readJmapAccount = async (sessionUrl: string, accessToken: string): Promise<JmapAccount> => {
  const { username, primaryAccounts, accounts } = await requestSession(sessionUrl, accessToken);
  const accountId = primaryAccounts[MAIL];
  const account = accountId === undefined ? undefined : accounts[accountId];
  // One mailbox has one user here: what others share is not theirs.
  if (accountId === undefined || !account?.isPersonal)
    throw new OidcError('mail_service_disabled', 'the JMAP session has no mailbox of its user');
  if (account.isReadOnly) throw new OidcError('missing_scope', 'the JMAP account is read-only');
  return { accountId, username: username || account.name };
};

const requestSession = async (sessionUrl: string, accessToken: string) => {
  const { status, text } = await inHttpCall(
    { method: 'GET', peer: 'jmap', url: sessionUrl },
    async (span) => {
      const response = await fetch(sessionUrl, {
        headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      span.responded(response.status);
      const body = response.body === null ? '' : String(await readCapped(response.body, MAX_BYTES));
      return { status: response.status, text: body };
    },
  ).catch((cause: unknown) => {
    throw new OidcError('provider_unavailable', 'the JMAP session could not be read', { cause });
  });
  if (status === 401) throw new OidcError('invalid_grant', 'the JMAP server does not accept the token');
  if (status === 403) throw new OidcError('missing_scope', 'the token may not read the JMAP session');
  if (status === 429 || status >= 500)
    throw new OidcError('provider_unavailable', `the JMAP server responded with ${status}`);
  const session = SessionSchema.safeParse(parseJson(text));
  if (status !== 200 || !session.success)
    throw new OidcError('provider_error', `there is no JMAP session (status ${status})`);
  return session.data;
};
