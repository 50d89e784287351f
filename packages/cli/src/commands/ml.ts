import { readFile, writeFile } from 'node:fs/promises';
import {
  type EvaluationReport,
  type LabelledEmail,
  type Scores,
  type ServiceEvaluation,
  toScore,
} from '@mailsweep/ml-evaluation';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { Failure, unlessInterrupted, usageFailure } from '../failures.ts';
import type { Output } from '../output/output.ts';
import { countOf } from '../output/text.ts';

const SCORES = ['PRECISION', 'RECALL', 'F1-SCORE', 'SUPPORT', 'PREDICTED'];

const toCells = ({ precision, recall, f1Score }: Scores): string[] =>
  [precision, recall, f1Score].map(toScore);

const toRow = ({
  label,
  support,
  predicted,
  ...scores
}: Scores & { label: string; support: number | null; predicted: number }): string[] => [
  label,
  ...toCells(scores),
  String(support ?? '–'),
  String(predicted),
];

const showService = (
  output: Output,
  { url, actions, classifications, calibration, falseClears, wrongClears }: ServiceEvaluation,
): void => {
  output.line();
  output.line({ text: url, style: 'bold' });
  output.line(
    `Accuracy ${toScore(actions.accuracy)}, expected calibration error ${toScore(calibration.expectedCalibrationError)}`,
  );
  output.line();
  output.table(
    ['ACTION', ...SCORES],
    [
      ...actions.labels.map(toRow),
      ['macro avg', ...toCells(actions.macroAvg), '', ''],
      ['weighted avg', ...toCells(actions.weightedAvg), '', ''],
    ],
  );
  output.line();
  if (classifications.length > 0) {
    output.table(['CLASSIFICATION', ...SCORES], classifications.map(toRow));
    output.line();
  }
  output.table(
    ['CONFIDENCE', 'COUNT', 'MEAN', 'RIGHT'],
    calibration.bins
      .filter(({ count }) => count > 0)
      .map(({ lower, upper, count, probPred, probTrue }) => [
        `${lower}–${upper}`,
        String(count),
        toScore(probPred),
        toScore(probTrue),
      ]),
  );
  output.line();
  output.table(
    ['WRONGLY CLEARED AWAY', 'ARCHIVED', 'DELETED'],
    (['personal', 'other'] as const).map((kind) => [
      kind,
      String(falseClears[kind].archive),
      String(falseClears[kind].delete),
    ]),
  );
  if (wrongClears.length === 0) return;
  output.line();
  output.table(
    ['ACTION', 'CONFIDENCE', 'RIGHT', 'FROM', 'SUBJECT'],
    wrongClears.map(({ email, actions: right, suggestion }) => [
      suggestion.action,
      toScore(suggestion.confidence_score),
      right.join(' or '),
      email.from,
      email.subject,
    ]),
  );
};

const showReport = (output: Output, { emails, services, differences }: EvaluationReport): void => {
  output.line(`${countOf(emails, 'labelled email')}.`);
  for (const service of services) showService(output, service);
  if (services.length < 2) return;
  output.line();
  output.line(`The two suggest different actions for ${countOf(differences.length, 'email')}.`);
};

interface Options {
  compare?: string;
  emails?: string;
  secretFile?: string;
  html?: string;
}

const readInput = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${path} cannot be read (${error.code}).`);
  });

const writeReport = (path: string, text: string): Promise<void> =>
  writeFile(path, text).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('not_written', `${path} cannot be written (${error.code}).`);
  });

const toServiceUrl = (text: string): string => {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw usageFailure(`${text} is no http address of a service.`);
  return text;
};

const readSecret = async ({ terminal }: Context, file: string | undefined): Promise<string> => {
  const secret = file === undefined ? terminal.env.INTERNAL_JWT_SECRET : (await readInput(file)).trim();
  if (!secret)
    throw usageFailure(
      'Set INTERNAL_JWT_SECRET, or give --secret-file: requests need a token that is valid.',
    );
  return secret;
};

const readEmails = async (path: string | undefined): Promise<LabelledEmail[]> => {
  if (path === undefined) {
    const { readLabelledSet } = await import('@mailsweep/ml-evaluation/labelled-set');
    return readLabelledSet(new Date(), 'held out');
  }
  const { parseLabelledEmails } = await import('@mailsweep/ml-evaluation');
  const text = await readInput(path);
  try {
    return parseLabelledEmails(text);
  } catch (error) {
    throw usageFailure(`${path}: ${error instanceof Error ? error.message : error}`);
  }
};

const evaluate = async (context: Context, url: string, options: Options): Promise<void> => {
  const { output, terminal } = context;
  const urls = [url, options.compare].filter((given) => given !== undefined).map(toServiceUrl);
  const secret = await readSecret(context, options.secretFile);
  const emails = await readEmails(options.emails);
  // Loaded here alone: no other command needs it.
  const { evaluateServices, ServiceFailedError, toHtml } = await import('@mailsweep/ml-evaluation');
  const report = await unlessInterrupted(terminal.signal, 'The evaluation was ended.', () =>
    evaluateServices(emails, {
      urls,
      secret,
      signal: terminal.signal,
      onProgress: (service, count) => output.progress(`${service}: ${countOf(count, 'email')} classified`),
    }),
  ).catch((error: unknown) => {
    throw error instanceof ServiceFailedError ? new Failure('service_failed', error.message) : error;
  });
  if (options.html !== undefined) await writeReport(options.html, toHtml(report));
  if (output.isJson) output.document(report);
  else showReport(output, report);
  if (options.html !== undefined) output.note(`The report is in ${options.html}.`);
};

export const addMl = (program: Command, context: Context): void => {
  program
    .command('ml')
    .description('tools for teams that make a classification service')
    .command('evaluate')
    .description('say how right a classification service is on labelled emails')
    .argument('<url>', 'the address of the service, without /v1/suggest')
    .option('--compare <url>', 'a second service, to show beside it')
    .option('--emails <file>', 'labelled emails as JSON Lines, in place of the labelled set of Mailsweep')
    .option(
      '--secret-file <file>',
      'the secret that the services verify tokens with; else INTERNAL_JWT_SECRET',
    )
    .option('--html <file>', 'write the report as one HTML file, too')
    .action((url: string, options: Options) => evaluate(context, url, options));
};
