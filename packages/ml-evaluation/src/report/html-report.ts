import type { Suggestion } from '@mailsweep/contracts';
import type { Difference, EvaluationReport, ServiceEvaluation } from '../evaluate-services.ts';
import type { Calibration } from '../metrics/calibration.ts';
import type { LabelScores, Scores } from '../metrics/classification-report.ts';

/** Three digits after the point, as scikit-learn prints scores; a dash where there is none. */
export const toScore = (score: number | null): string => (score === null ? '–' : score.toFixed(3));

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Markup that is safe to put into a page. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | readonly Markup[];

const toMarkup = (value: Value): string => {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
};

/** Puts markup together; every value that is no markup itself is escaped, for text and attributes in quotes alike. */
const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Markup =>
  new Markup(
    parts.map((part, index) => (index === 0 ? part : toMarkup(values[index - 1] ?? '') + part)).join(''),
  );

const SIDE = 300;
const MARGIN = 45;
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const COLOURS = ['#1f6feb', '#d1570a'] as const;

const x = (share: number): number => MARGIN + share * SIDE;
const y = (share: number): number => 10 + (1 - share) * SIDE;

const drawTicks = (): Markup[] =>
  TICKS.map(
    (tick) => html`<line class="grid" x1="${x(tick)}" y1="${y(0)}" x2="${x(tick)}" y2="${y(1)}"/>
<line class="grid" x1="${x(0)}" y1="${y(tick)}" x2="${x(1)}" y2="${y(tick)}"/>
<text x="${x(tick)}" y="${y(0) + 16}" text-anchor="middle">${tick}</text>
<text x="${x(0) - 6}" y="${y(tick) + 4}" text-anchor="end">${tick}</text>`,
  );

const drawCurve = ({ bins }: Calibration, colour: string): Markup => {
  const points = bins.flatMap(({ probPred, probTrue, count }) =>
    probPred === null || probTrue === null ? [] : [{ probPred, probTrue, count }],
  );
  const line = points.map(({ probPred, probTrue }) => `${x(probPred)},${y(probTrue)}`).join(' ');
  const dots = points.map(
    ({ probPred, probTrue, count }) =>
      html`<circle cx="${x(probPred)}" cy="${y(probTrue)}" r="4" fill="${colour}"><title>${count} emails: confidence ${probPred.toFixed(3)}, right ${probTrue.toFixed(3)}</title></circle>`,
  );
  return html`<polyline points="${line}" fill="none" stroke="${colour}" stroke-width="2"/>${dots}`;
};

/** The reliability of confidences as a picture: on the diagonal, a service is as often right as it says. */
const drawReliability = (services: readonly { url: string; calibration: Calibration }[]): Markup => {
  const colourOf = (index: number): string => COLOURS[index] ?? COLOURS[0];
  const legend = services.map(
    ({ url }, index) =>
      html`<text x="${x(0) + 10}" y="${y(1) + 18 + index * 18}" fill="${colourOf(index)}">● ${url}</text>`,
  );
  return html`<svg viewBox="0 0 ${SIDE + MARGIN + 20} ${SIDE + 55}" role="img" aria-label="Reliability diagram">
${drawTicks()}
<line class="diagonal" x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}"/>
${services.map(({ calibration }, index) => drawCurve(calibration, colourOf(index)))}
${legend}
<text x="${x(0.5)}" y="${y(0) + 36}" text-anchor="middle">Mean confidence</text>
<text transform="translate(12 ${y(0.5)}) rotate(-90)" text-anchor="middle">Fraction that is right</text>
</svg>`;
};

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

const listWrongClears = (wrongClears: ServiceEvaluation['wrongClears']): Markup => {
  if (wrongClears.length === 0) return html``;
  const head = ['From', 'Subject', 'Kind', 'Right', 'Suggested'].map(
    (name) => html`<th scope="col">${name}</th>`,
  );
  const rows = wrongClears.map(
    ({ email, kind, actions, suggestion }) =>
      html`<tr><td><bdi>${email.from}</bdi></td><td><bdi>${email.subject}</bdi></td><td>${kind ?? ''}</td><td>${actions.join(' or ')}</td>${describeSuggestion(suggestion, actions)}</tr>`,
  );
  return html`<table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`;
};

const describeService = ({
  url,
  actions,
  classifications,
  calibration,
  falseClears,
  wrongClears,
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
${listWrongClears(wrongClears)}
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
