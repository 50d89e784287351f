import { createClient } from '@mailsweep/client';
import type { Command } from 'commander';
import { type Context, connect, DEFAULT_API, namedApi } from '../context.ts';
import { forgetCredentials, keepCredentials } from '../credentials.ts';
import { usageFailure } from '../failures.ts';
import { askSecret } from '../input/ask.ts';
import { toTime } from '../output/text.ts';

const signIn = async (context: Context): Promise<void> => {
  const { terminal, output } = context;
  const api = namedApi(context) ?? DEFAULT_API;
  const given = terminal.env.MAILSWEEP_TOKEN?.trim();
  const token = given || (await askSecret(terminal, `Personal access token for ${api} (not shown): `));
  if (!token)
    throw usageFailure('No token was given. Make one in Settings → Access tokens, and paste it here.');
  const me = await createClient({ baseUrl: api, token }).getMe({ signal: terminal.signal });
  const file = await keepCredentials(terminal.env, { api, token });
  if (output.isJson) output.document({ api, me });
  else {
    output.line('Signed in as ', { text: me.email, style: 'bold' }, ` at ${api}.`);
    output.note({ text: `The token is in ${file}, which only you can read.`, style: 'dim' });
  }
};

const signOut = async ({ terminal, output }: Context): Promise<void> => {
  const isForgotten = await forgetCredentials(terminal.env);
  if (output.isJson) output.document({ signedOut: isForgotten });
  else if (isForgotten)
    output.line('Signed out. The token itself is still valid: revoke it in Settings → Access tokens.');
  else output.line('You were not signed in.');
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

export const addSignIn = (program: Command, context: Context): void => {
  program
    .command('login')
    .description('sign in with a personal access token, which is asked for or read from stdin')
    .requiredOption('--token', 'read a token; it is never an argument, which other programs could see')
    .action(() => signIn(context));
  program
    .command('logout')
    .description('forget the token that is kept')
    .action(() => signOut(context));
  program
    .command('whoami')
    .description('show who is signed in')
    .action(() => showWhoIsSignedIn(context));
};
