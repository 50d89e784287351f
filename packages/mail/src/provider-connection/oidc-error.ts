import * as oidc from 'openid-client';

/** Why the provider did not give us tokens, or no mailbox with them. */
export class OidcError extends Error {
  override readonly name = 'OidcError';
  /**
   * `provider_configuration`: the provider does not accept our client. `domain_policy`: an administrator, or a policy
   * of the account, keeps it from granting us access. `mail_service_disabled`: the user has no mailbox.
   */
  readonly code:
    | 'invalid_grant'
    | 'domain_policy'
    | 'mail_service_disabled'
    | 'missing_scope'
    | 'provider_configuration'
    | 'provider_error'
    | 'provider_unavailable';

  constructor(code: OidcError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Codes of RFC 6749 (section 5.2) and of Google that speak of the client, not of the grant. */
const CLIENT_ERRORS: readonly string[] = [
  'invalid_client',
  'deleted_client',
  'disabled_client',
  'unauthorized_client',
  'redirect_uri_mismatch',
];
/** Google's codes for policies of an account or its organization ("Using OAuth 2.0 for Web Server Applications"). */
const POLICY_ERRORS: readonly string[] = ['admin_policy_enforced', 'policy_enforced', 'org_internal'];

/**
 * What an error code of the provider means, from the token endpoint or from a callback.
 *
 * @returns undefined for a code that is not about the client or a policy
 */
export const toRefusalCode = (error: string): 'provider_configuration' | 'domain_policy' | undefined => {
  if (CLIENT_ERRORS.includes(error)) return 'provider_configuration';
  return POLICY_ERRORS.includes(error) ? 'domain_policy' : undefined;
};

/** Google distinguishes why a grant ended, such as `invalid_rapt`: the session control of a Workspace asks for a new sign-in. */
const readSubtype = ({ cause }: oidc.ResponseBodyError): string => {
  const subtype = cause.error_subtype;
  return typeof subtype === 'string' && /^[a-z_]{1,40}$/.test(subtype) ? ` (${subtype})` : '';
};

export const toOidcError = (error: unknown): OidcError => {
  if (error instanceof OidcError) return error;
  // A 401 of the token endpoint is about the client (RFC 6749, section 5.2).
  if (error instanceof oidc.WWWAuthenticateChallengeError && error.status === 401) {
    return new OidcError('provider_configuration', 'the provider does not accept the OAuth client');
  }
  if (error instanceof oidc.ResponseBodyError) {
    if (error.error === 'invalid_grant')
      return new OidcError('invalid_grant', `the provider refused the grant${readSubtype(error)}`);
    const refusal = toRefusalCode(error.error);
    if (refusal !== undefined) return new OidcError(refusal, `the provider responded with ${error.error}`);
    if (error.status === 429)
      return new OidcError('provider_unavailable', 'the provider had too many calls', { cause: error });
    return new OidcError('provider_error', `the provider responded with ${error.error}`);
  }
  if (isTransient(error))
    return new OidcError('provider_unavailable', 'the provider can’t be reached', { cause: error });
  return new OidcError('provider_error', 'the provider’s response was not acceptable', { cause: error });
};

/** Network errors, time-outs and 5xx responses; openid-client names the last only by code. */
const isTransient = (error: unknown): boolean => {
  if (error instanceof TypeError) return true;
  if (!(error instanceof oidc.ClientError)) return false;
  const { cause } = error;
  const isServerFault = cause instanceof Response && (cause.status >= 500 || cause.status === 429);
  return error.code === 'OAUTH_TIMEOUT' || isServerFault || cause instanceof TypeError;
};
