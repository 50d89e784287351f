import { createClient, type Me } from '@mailsweep/client';
import { type Command, Option } from 'commander';
import {
  createRequest,
  createSecret,
  findAuthorizationServer,
  listenForRedirect,
  revokeToken,
  SCOPES,
  type Scope,
} from '../authorize.ts';
import { type Context, connect, DEFAULT_API, namedApi } from '../context.ts';
import { type Credentials, forgetCredentials, keepCredentials, readCredentials } from '../credentials.ts';
import { unlessInterrupted, usageFailure } from '../failures.ts';
import { askSecret } from '../input/ask.ts';
import { wholeNumber } from '../input/parse.ts';
import { toTime } from '../output/text.ts';

/** As long as the API waits for the user. Unit: seconds. */
const DEFAULT_TIMEOUT_S = 600;

interface LoginOptions {
  token?: true;
  scope?: Scope;
  browser: boolean;
  timeout?: number;
}

/** Ends a token that this program was given before; without one, or where that fails, nothing happens. */
const revokeGranted = async (kept: Credentials | null, signal: AbortSignal): Promise<boolean> => {
  if (!kept?.isGranted) return false;
  try {
    return await revokeToken(await findAuthorizationServer(kept.api, signal), kept.token, signal);
  } catch {
    return false;
  }
};

const openBrowser = async ({ terminal, output }: Context, url: string, isWanted: boolean): Promise<void> => {
  output.note(
    isWanted
      ? 'If no browser opens, open this address on this computer:'
      : 'Open this address on this computer:',
  );
  output.note(url);
  if (isWanted) await terminal.openBrowser(url).catch(() => output.note('No browser could be opened.'));
};

/** Has the user allow this program in a browser. @returns the token */
const askInBrowser = async (context: Context, api: string, options: LoginOptions): Promise<string> => {
  const { signal } = context.terminal;
  const { scope = 'act', browser, timeout: timeoutSeconds = DEFAULT_TIMEOUT_S } = options;
  const server = await findAuthorizationServer(api, signal);
  const state = createSecret();
  const receiver = await listenForRedirect({ state, issuer: server.issuer });
  try {
    const { redirectUri } = receiver;
    const { url, exchange } = createRequest(server, { redirectUri, state, scope });
    await openBrowser(context, url, browser);
    return await exchange(await receiver.waitForCode(signal, timeoutSeconds), signal);
  } finally {
    receiver.close();
  }
};

const readToken = async ({ terminal }: Context, api: string): Promise<string> => {
  const given = terminal.env.MAILSWEEP_TOKEN?.trim();
  const token = given || (await askSecret(terminal, `Personal access token for ${api} (not shown): `));
  if (token) return token;
  throw usageFailure('No token was given. Make one in Settings → Access tokens, and paste it here.');
};

const reportSignIn = ({ terminal, output }: Context, api: string, me: Me, file: string): void => {
  if (output.isJson) output.document({ api, me });
  else {
    output.line('Signed in as ', { text: me.email, style: 'bold' }, ` at ${api}.`);
    output.note({ text: `The token is in ${file}, which only you can read.`, style: 'dim' });
  }
  if (terminal.env.MAILSWEEP_TOKEN) output.note('MAILSWEEP_TOKEN is set, and goes before it.');
};

const signIn = async (context: Context, options: LoginOptions): Promise<void> => {
  const { signal, env } = context.terminal;
  const { token: isRead, scope, browser, timeout } = options;
  if (isRead && (scope !== undefined || !browser || timeout !== undefined))
    throw usageFailure("--token can't be combined with --scope, --no-browser or --timeout.");
  const api = namedApi(context) ?? DEFAULT_API;
  const token = await unlessInterrupted(signal, 'You are not signed in.', () =>
    isRead ? readToken(context, api) : askInBrowser(context, api, options),
  );
  const me = await createClient({ baseUrl: api, token }).getMe({ signal });
  const replaced = await readCredentials(env);
  const file = await keepCredentials(env, { api, token, ...(!isRead && { isGranted: true }) });
  if (replaced?.token !== token) await revokeGranted(replaced, signal);
  reportSignIn(context, api, me, file);
};

const signOut = async ({ terminal, output }: Context): Promise<void> => {
  const kept = await readCredentials(terminal.env);
  const isRevoked = await revokeGranted(kept, terminal.signal);
  const isForgotten = await forgetCredentials(terminal.env);
  if (output.isJson) output.document({ signedOut: isForgotten, revoked: isRevoked });
  else if (!isForgotten) output.line('You were not signed in.');
  else if (isRevoked) output.line('Signed out. The token is revoked.');
  else output.line('Signed out. The token itself is still valid: revoke it in Settings → Access tokens.');
  if (terminal.env.MAILSWEEP_TOKEN) output.note('MAILSWEEP_TOKEN is set, and still used.');
};

const showWhoIsSignedIn = async (context: Context): Promise<void> => {
  const { output, terminal } = context;
  const { client, api } = await connect(context);
  const me = await client.getMe({ signal: terminal.signal });
  if (output.isJson) return output.document({ api, me });
  output.line({ text: me.email, style: 'bold' }, me.name === null ? '' : ` (${me.name})`, ` at ${api}`);
  if (me.token)
    output.line(`Token "${me.token.name}", scope ${me.token.scope}, until ${toTime(me.sessionExpiresAt)}`);
  if (me.connection === 'reauth_required')
    output.line({ text: 'Gmail has to be connected again: sign in to the web app.', style: 'yellow' });
};

const listMailboxes = async (context: Context): Promise<void> => {
  const { client } = await connect(context);
  const mailboxes = await client.listMailboxes({ signal: context.terminal.signal });
  if (context.output.isJson) return context.output.document(mailboxes);
  const rows = mailboxes.data.map(({ number, email, name, provider, connection, current }) => [
    String(number),
    email,
    name ?? '',
    provider.name,
    connection === 'active' ? '' : 'connect again in the web app',
    current ? 'used' : '',
  ]);
  context.output.table(['NUMBER', 'ADDRESS', 'NAME', 'AT', '', ''], rows);
};

export const addSignIn = (program: Command, context: Context): void => {
  program
    .command('login')
    .description('sign in: allow this program in your browser, or give it a token')
    .addOption(
      new Option('--scope <scope>', 'what it may do: read, act or admin (default: act)').choices(SCOPES),
    )
    .option('--no-browser', 'only print the address to open')
    .option(
      '--timeout <seconds>',
      `how long to wait for you (default: ${DEFAULT_TIMEOUT_S})`,
      wholeNumber(1, DEFAULT_TIMEOUT_S),
    )
    .option(
      '--token',
      'read a token in place of asking; it is never an argument, which other programs could see',
    )
    .action((options: LoginOptions) => signIn(context, options));
  program
    .command('logout')
    .description('forget the token that is kept, and revoke it if this program had asked for it')
    .action(() => signOut(context));
  program
    .command('whoami')
    .description('show who is signed in')
    .action(() => showWhoIsSignedIn(context));
  program
    .command('mailboxes')
    .description('list your mailboxes that this sign-in reaches; --mailbox takes one of them')
    .action(() => listMailboxes(context));
};
