import {
  type EvaluationReport,
  type Scores,
  type ServiceEvaluation,
  toScore,
} from '@mailsweep/ml-evaluation';
import type { Output } from '../../output/output.ts';
import { countOf } from '../../output/text.ts';

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
  { url, actions, classifications, calibration, falseClears }: ServiceEvaluation,
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
};

/** Prints how right each service is, in tables. */
export const showReport = (output: Output, { emails, services, differences }: EvaluationReport): void => {
  output.line(`${countOf(emails, 'labelled email')}.`);
  for (const service of services) showService(output, service);
  if (services.length < 2) return;
  output.line();
  output.line(`The two suggest different actions for ${countOf(differences.length, 'email')}.`);
};
