import {
  type Agreement,
  MAX_PRECISION_CLASSIFICATIONS,
  MAX_PRECISION_SPANS,
  type Precision,
  type PrecisionQuery,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { measureRate } from './interval.ts';
import { type CalledDecisions, countCalledDecisions } from './precision.repository.ts';

type ByBand = Record<CalledDecisions['band'], Agreement>;

const sumBand = (rows: readonly CalledDecisions[], wanted: CalledDecisions['band']): Agreement => {
  const ofBand = rows.filter(({ band }) => band === wanted);
  return {
    decided: ofBand.reduce((sum, { decided }) => sum + decided, 0),
    agreed: ofBand.reduce((sum, { agreed }) => sum + agreed, 0),
  };
};

const sumBands = (rows: readonly CalledDecisions[]): ByBand => ({
  sure: sumBand(rows, 'sure'),
  likely: sumBand(rows, 'likely'),
  check: sumBand(rows, 'check'),
});

const toMeasured = (agreement: Agreement) => ({
  ...agreement,
  ...measureRate(agreement.agreed, agreement.decided),
});

const countAll = ({ sure, likely, check }: ByBand): number => sure.decided + likely.decided + check.decided;

/** How often a user agreed with suggestions, by what they were called when the user decided (docs/decisions/047). */
export const getPrecision = async (
  database: Database,
  userId: string,
  { by }: PrecisionQuery,
): Promise<Precision> => {
  const rows = await countCalledDecisions(database, userId, by);
  const { sure, likely, check } = sumBands(rows);
  const spans = [...Map.groupBy(rows, ({ start }) => start)].map(([start, ofSpan]) => ({
    start,
    ...sumBands(ofSpan),
  }));
  const classifications = [...Map.groupBy(rows, ({ classification }) => classification)]
    .map(([classification, ofName]) => ({ classification, ...sumBands(ofName) }))
    .toSorted((one, other) => countAll(other) - countAll(one));
  return {
    by,
    sure: toMeasured(sure),
    likely: toMeasured(likely),
    check: toMeasured(check),
    spans: spans.slice(-MAX_PRECISION_SPANS),
    classifications: classifications.slice(0, MAX_PRECISION_CLASSIFICATIONS),
  };
};
