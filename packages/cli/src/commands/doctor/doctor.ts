import type { Command } from 'commander';
import { type Context, DEFAULT_API, findCredentials, namedApi } from '../../context.ts';
import { EXIT, Failure } from '../../failures.ts';
import { examine, type Finding } from './examine.ts';

const MARKS = {
  ok: { text: '✓', style: 'green' },
  warning: { text: '!', style: 'yellow' },
  problem: { text: '✗', style: 'red' },
} as const;

const showFindings = async (context: Context): Promise<void> => {
  const { output, terminal } = context;
  // That nobody is signed in is a finding, too.
  const credentials = await findCredentials(context).catch((error: unknown) => {
    if (error instanceof Failure && error.exitCode === EXIT.notSignedIn) return null;
    throw error;
  });
  const api = credentials?.api ?? namedApi(context) ?? DEFAULT_API;
  const findings = await examine(api, credentials, terminal.signal);
  const problems = findings.filter(({ state }) => state === 'problem');
  if (output.isJson) output.document({ api, healthy: problems.length === 0, findings });
  else for (const finding of findings) show(context, finding);
  if (problems.length > 0) throw new Failure('problem_found', EXIT.error, 'See what to do about it above.');
};

const show = ({ output }: Context, { state, message, remedy }: Finding): void => {
  output.line(MARKS[state], ` ${message}`);
  if (remedy) output.line(`  ${remedy}`);
};

export const addDoctor = (program: Command, context: Context): void => {
  program
    .command('doctor')
    .description('check the address, the API, your token, Gmail, the scan and the watch')
    .action(() => showFindings(context));
};
