import { type ApiClient, createClient } from '@mailsweep/client';
import { type Credentials, readCredentials, toApi } from './credentials.ts';
import { notSignedIn, usageFailure } from './failures.ts';
import type { Output } from './output/output.ts';
import type { Terminal } from './terminal.ts';

export const DEFAULT_API = 'http://localhost:3000';

export interface Context {
  terminal: Terminal;
  output: Output;
  /** The option `--api`. */
  readApiOption(): string | undefined;
  /** The option `--mailbox`. */
  readMailboxOption(): string | undefined;
}

/** The address that the option or the variable names; the option wins. */
export const namedApi = ({ terminal, readApiOption }: Context): string | undefined => {
  const text = readApiOption() ?? terminal.env.MAILSWEEP_API;
  return text ? toApi(text) : undefined;
};

/** @throws where nobody is signed in */
export const findCredentials = async (context: Context): Promise<Credentials> => {
  const { env } = context.terminal;
  const api = namedApi(context);
  const token = env.MAILSWEEP_TOKEN?.trim();
  // Nothing of the file is needed then, so an error in it must not matter.
  if (token && api) return { api, token };
  const kept = await readCredentials(env);
  if (token) return { api: kept?.api ?? DEFAULT_API, token };
  if (!kept) throw notSignedIn('Sign in with: mailsweep login');
  if (api !== undefined && api !== kept.api)
    throw notSignedIn(`You are signed in to ${kept.api}, not to ${api}. Sign in there with: mailsweep login`);
  return kept;
};

/** The number of the mailbox that the option names by it, by its address, or by what its owner calls it. */
const findMailbox = async (context: Context, client: ApiClient): Promise<number | undefined> => {
  const text = context.readMailboxOption();
  if (text === undefined) return undefined;
  const { data } = await client.listMailboxes({ signal: context.terminal.signal });
  const named = data.filter(({ number, email, name }) =>
    [String(number), email, name].some((each) => each?.toLowerCase() === text.toLowerCase()),
  );
  if (named[0] !== undefined && named.length === 1) return named[0].number;
  const reached = data.map(({ number, email, name }) => `${number} (${name ?? email})`).join(', ');
  throw usageFailure(
    `${named.length > 1 ? 'Several mailboxes are' : 'No mailbox is'} called ${text}. This sign-in reaches ${reached}.${data.length > 1 ? '' : ' To reach your others, allow it with: mailsweep login'}`,
  );
};

/**
 * @throws where nobody is signed in
 * @throws where the option names no mailbox
 */
export const connect = async (context: Context): Promise<{ client: ApiClient; api: string }> => {
  const { api, token } = await findCredentials(context);
  const client = createClient({ baseUrl: api, token });
  const mailbox = await findMailbox(context, client);
  return { client: mailbox === undefined ? client : createClient({ baseUrl: api, token, mailbox }), api };
};
