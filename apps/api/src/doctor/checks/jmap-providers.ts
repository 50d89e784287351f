import { createJmapProvider } from '@mailsweep/provider-connection';
import { type DoctorContext, explainMissing } from '../context.ts';
import { error, type Finding, ok, skipped, warning } from '../finding.ts';
import { probeClient } from './provider.ts';

type Entry = NonNullable<DoctorContext['values']['JMAP_PROVIDERS']>[number];

const TIMEOUT_MS = 5_000;
const variable = 'JMAP_PROVIDERS';
const why = 'Its users cannot sign in, and their mailboxes are not opened.';

/** Without a token a JMAP server refuses to show a session. */
const checkSession = async ({ key, sessionUrl }: Entry): Promise<Finding> => {
  const fault = {
    variable,
    why,
    fix: `Let this machine reach it (DNS, firewall), or correct sessionUrl of ${key}.`,
  };
  try {
    const response = await fetch(sessionUrl, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    const { origin } = new URL(response.url);
    if (origin !== new URL(sessionUrl).origin) {
      const message = `The address of the JMAP session of ${key} redirects to ${origin}, which tokens are not sent to.`;
      return error({ ...fault, message, fix: `Set sessionUrl of ${key} to the session's address there.` });
    }
    if (response.status === 401) return ok(`The JMAP session of ${key} asks for a token.`);
    const message = `The address of the JMAP session of ${key} answers with status ${response.status}, not with 401.`;
    return error({ ...fault, message });
  } catch {
    return error({ ...fault, message: `The JMAP session of ${key} cannot be reached.` });
  }
};

const checkClient = async (entry: Entry, redirectUri: string): Promise<Finding[]> => {
  const { key, issuer } = entry;
  const { oauth } = createJmapProvider(entry, redirectUri);
  if (oauth === undefined || issuer === undefined) return [];
  const { code, message } = await probeClient(oauth, issuer);
  if (code === 'invalid_grant') return [ok(`${key} accepts its client.`)];
  const isRefused = code === 'provider_configuration';
  const report = isRefused || code === 'provider_unavailable' ? error : warning;
  return [
    report({
      variable,
      message: isRefused
        ? `${key} does not accept clientId and clientSecret: ${message}.`
        : `Whether ${key} accepts the client is not known: ${message}.`,
      why,
      fix: `Compare issuer, clientId and clientSecret of ${key} with the client there, whose redirect URI has to be ${redirectUri}/${key}.`,
    }),
  ];
};

/** Whether each JMAP server has a session, and an authorization server that takes our client. */
export const checkJmapProviders = async (context: DoctorContext): Promise<Finding[]> => {
  const { JMAP_PROVIDERS: entries, OAUTH_REDIRECT_URI: redirectUri } = context.values;
  // What is wrong with its form, the check of variables says.
  if (entries === undefined) return [skipped(explainMissing(context, variable))];
  if (entries.length === 0) return [skipped('None is configured.')];
  if (redirectUri === undefined) return [skipped(explainMissing(context, 'OAUTH_REDIRECT_URI'))];
  const findings = await Promise.all(
    entries.map(async (entry) => [await checkSession(entry), ...(await checkClient(entry, redirectUri))]),
  );
  return findings.flat();
};
