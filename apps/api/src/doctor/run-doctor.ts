import { parseArgs } from 'node:util';
import { VERSION } from '@mailsweep/service-kit';
import { CHECKS, runChecks } from './checks.ts';
import { createContext, type Environment } from './context.ts';
import { toJson, toText } from './report.ts';

const USAGE = `Usage: doctor [--json]

Checks the installation that the variables of API and worker describe, and says what to change.
Exit code: 0 no error, 1 at least one, 2 wrong usage.
`;

const OPTIONS = {
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  // For npm start: a variable for which it has a value of its own where none is set.
  provided: { type: 'string', multiple: true, default: [] as string[] },
} as const;

/** After how long the doctor ends, and how long its checks may always take, in milliseconds. */
const TIMEOUT_MS = 14_000;
const SHORTEST_TIMEOUT_MS = 6_000;

/**
 * Runs all checks and shows what they found.
 *
 * @returns the exit code
 */
export const runDoctor = async (
  words: string[],
  dependencies: {
    env: Environment;
    hasColour: boolean;
    write: (text: string) => void;
    writeError: (text: string) => void;
    /** How long the process took to start, in milliseconds: on a busy machine that is long. */
    startMs?: number;
  },
): Promise<number> => {
  const { env, hasColour, write, writeError } = dependencies;
  let options: { json: boolean; help: boolean; provided: string[] };
  try {
    options = parseArgs({ args: words, options: OPTIONS }).values;
  } catch (cause) {
    writeError(`${cause instanceof Error ? cause.message : cause}\n\n${USAGE}`);
    return 2;
  }
  if (options.help) {
    write(USAGE);
    return 0;
  }
  const timeoutMs = Math.max(TIMEOUT_MS - (dependencies.startMs ?? 0), SHORTEST_TIMEOUT_MS);
  const context = createContext(env, options.provided, timeoutMs);
  const findings = await runChecks(CHECKS, context, timeoutMs);
  // What hangs is closed by the end of the process.
  void context.database.$disconnect();
  const summary = { version: VERSION, findings };
  write(options.json ? toJson(summary, context.env) : toText(summary, context.env, hasColour));
  return findings.some(({ status }) => status === 'error') ? 1 : 0;
};
