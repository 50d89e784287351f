import type { Suggestion } from '@mailsweep/contracts';
import type { Difference, EvaluationReport, ServiceEvaluation } from '../evaluate-services.ts';
import type { LabelScores, Scores } from '../metrics/classification-report.ts';
import { toScore } from './format.ts';
import { html, type Markup } from './html.ts';
import { drawReliability } from './reliability-chart.ts';

const STYLE = html`<style>
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1f2328; background: #fff; }
table { border-collapse: collapse; margin: 0.5rem 0 1.5rem; }
th, td { border-bottom: 1px solid #d0d7de; padding: 0.3rem 0.7rem; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
svg { max-width: 26rem; font-size: 11px; }
.grid { stroke: #eaeef2; } .diagonal { stroke: #8c959f; stroke-dasharray: 4; }
.wrong { color: #b42318; }
</style>`;

const numberCell = (value: string | number): Markup => html`<td class="number">${value}</td>`;
const scoreCells = ({ precision, recall, f1Score }: Scores): Markup[] =>
  [precision, recall, f1Score].map((score) => numberCell(toScore(score)));

const toTable = (head: readonly string[], rows: readonly Markup[]): Markup => {
  const [first = '', ...numbers] = head;
  const cells = numbers.map((name) => html`<th class="number" scope="col">${name}</th>`);
  return html`<table><thead><tr><th scope="col">${first}</th>${cells}</tr></thead><tbody>${rows}</tbody></table>`;
};

const toRow = ({
  label,
  support,
  predicted,
  ...scores
}: Omit<LabelScores, 'support'> & { support: number | null }) =>
  html`<tr><th scope="row">${label}</th>${scoreCells(scores)}${numberCell(support ?? '–')}${numberCell(predicted)}</tr>`;

const describeService = ({
  url,
  actions,
  classifications,
  calibration,
  falseClears,
}: ServiceEvaluation): Markup => {
  const scores = ['precision', 'recall', 'f1-score', 'support', 'predicted'];
  const averages = (
    [
      ['macro avg', actions.macroAvg],
      ['weighted avg', actions.weightedAvg],
    ] as const
  ).map(
    ([name, average]) => html`<tr><th scope="row">${name}</th>${scoreCells(average)}<td></td><td></td></tr>`,
  );
  const bins = calibration.bins
    .filter(({ count }) => count > 0)
    .map(
      ({ lower, upper, probPred, probTrue, count }) =>
        html`<tr><th scope="row">${lower}–${upper}</th>${[probPred, probTrue].map((share) => numberCell(toScore(share)))}${numberCell(count)}</tr>`,
    );
  const clears = (['personal', 'other'] as const).map(
    (kind) =>
      html`<tr><th scope="row">${kind}</th>${numberCell(falseClears[kind].archive)}${numberCell(falseClears[kind].delete)}</tr>`,
  );
  return html`<section><h2>${url}</h2>
<p>Accuracy ${toScore(actions.accuracy)}, expected calibration error ${toScore(calibration.expectedCalibrationError)}.</p>
<h3>By action</h3>${toTable(['action', ...scores], [...actions.labels.map(toRow), ...averages])}
<h3>By classification</h3>${toTable(['classification', ...scores], classifications.map(toRow))}
<h3>Wrongly cleared away</h3>${toTable(['email', 'false archives', 'false deletes'], clears)}
<h3>Confidence</h3>${toTable(['bin', 'mean confidence', 'fraction that is right', 'count'], bins)}
</section>`;
};

const describeSuggestion = (suggestion: Suggestion | null, actions: readonly string[]): Markup => {
  const action = suggestion?.action ?? 'none';
  const detail = suggestion && ` (${suggestion.classification}, ${suggestion.confidence_score})`;
  return html`<td class="${actions.includes(action) ? 'right' : 'wrong'}"><bdi>${action}${detail ?? ''}</bdi></td>`;
};

const toDifferenceRow = ({ email, kind, actions, first, second }: Difference): Markup =>
  html`<tr><td><bdi>${email.from}</bdi></td><td><bdi>${email.subject}</bdi></td><td>${kind ?? ''}</td><td>${actions.join(' or ')}</td>${[first, second].map((suggestion) => describeSuggestion(suggestion, actions))}</tr>`;

const describeDifferences = ({ services, differences }: EvaluationReport): Markup => {
  const [first, second] = services;
  if (first === undefined || second === undefined) return html``;
  const head = ['From', 'Subject', 'Kind', 'Right', first.url, second.url].map(
    (name) => html`<th scope="col">${name}</th>`,
  );
  return html`<section><h2>Where they differ</h2><p>${differences.length} emails; what is wrong is red.</p>
<table><thead><tr>${head}</tr></thead><tbody>${differences.map(toDifferenceRow)}</tbody></table></section>`;
};

/** The report as one page without scripts, which loads nothing; all text of emails and services is escaped. */
export const toHtml = (report: EvaluationReport): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>Evaluation of classification services</title>
${STYLE}
</head>
<body>
<h1>Evaluation of classification services</h1>
<p>${report.emails} labelled emails.</p>
<figure>${drawReliability(report.services)}<figcaption>Reliability: on the diagonal, a service is right as often as its confidence says.</figcaption></figure>
${report.services.map(describeService)}
${describeDifferences(report)}
</body>
</html>
`.text;
