import { parseArgs } from 'node:util';

export const USAGE = `Usage: ml-conformance URL [options]

Checks whether the classification service at URL keeps Mailsweep's contract.

  --secret-file FILE   the secret that the service verifies tokens with; else INTERNAL_JWT_SECRET
  --budget-ms N        longest time of a response in milliseconds (5000)
  --json               prints the report as JSON
  --junit FILE         writes the report for CI, too
  --version
  --help

Exit code: 0 the service conforms, 1 it does not, 2 it could not be checked.
`;

/** What the command is asked for instead of a check. */
export type Question = 'help' | 'version';

export interface Options {
  url: string;
  secretFile: string | undefined;
  secret: string | undefined;
  budgetMs: number | undefined;
  isJson: boolean;
  junitFile: string | undefined;
}

/** The command was not used as it is meant to be. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Reads the command line and the environment.
 *
 * @returns a word where no check is asked for
 * @throws {UsageError}
 */
export const readOptions = (words: readonly string[], env = process.env): Options | Question => {
  const { values, positionals } = parse(words);
  if (values.help) return 'help';
  if (values.version) return 'version';
  const [url, ...more] = positionals;
  if (url === undefined || more.length > 0) throw new UsageError('Give the address of one service.');
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) throw new UsageError(`${url} is no http address.`);
  const budgetMs = values['budget-ms'] === undefined ? undefined : Number(values['budget-ms']);
  if (budgetMs !== undefined && !(Number.isInteger(budgetMs) && budgetMs > 0))
    throw new UsageError('--budget-ms takes a whole number above 0.');
  return {
    url,
    secretFile: values['secret-file'],
    secret: env.INTERNAL_JWT_SECRET || undefined,
    budgetMs,
    isJson: values.json === true,
    junitFile: values.junit,
  };
};

const parse = (words: readonly string[]) => {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: { 'secret-file': text, 'budget-ms': text, junit: text, json: flag, version: flag, help: flag },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
};
