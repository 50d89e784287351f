import type { Calibration } from '../metrics/calibration.ts';
import { html, type Markup } from './html.ts';

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
export const drawReliability = (services: readonly { url: string; calibration: Calibration }[]): Markup => {
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
