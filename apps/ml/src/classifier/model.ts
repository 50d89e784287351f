import { inflateSync } from 'node:zlib';
import { type Feature, ROWS } from './features.ts';
import stored from './weights.json' with { type: 'json' };

/**
 * What an email is, whatever its age: something to keep, what is written to many (newsletters, offers), a notice that is
 * soon out of date, a receipt, or a call for action.
 */
export const CLASSES = ['keep', 'bulk', 'notice', 'receipt', 'alert'] as const;
export type Class = (typeof CLASSES)[number];

/** Slope and intercept, by which the logit of a probability becomes that of a confidence. */
export type Calibration = readonly [slope: number, intercept: number];

export interface Model {
  /** {@link ROWS} rows, each with a weight for each class. */
  rows: ArrayLike<number>;
  bias: readonly number[];
  /** What a unit of `rows` is worth. */
  scale: number;
  calibration: Record<'clear' | 'receipt' | 'notify', Calibration>;
}

const { rows, ...rest } = stored as unknown as Omit<Model, 'rows'> & { rows: string };
/** The weights that `pnpm --filter @mailsweep/ml run train` made. */
export const MODEL: Model = { ...rest, rows: new Int8Array(inflateSync(Buffer.from(rows, 'base64'))) };
if (MODEL.rows.length !== ROWS * CLASSES.length) throw new Error('The weights have another size.');

/** What a feature adds to the sum of each class. */
const weigh = ({ rows, value }: Feature, model: Pick<Model, 'rows'>): number[] => {
  const sums = CLASSES.map(() => 0);
  for (const row of rows)
    for (let column = 0; column < sums.length; column++)
      sums[column] = (sums[column] ?? 0) + (model.rows[row * sums.length + column] ?? 0);
  return sums.map((sum) => sum * value);
};

/** The probability of each class. */
export const predict = (
  features: readonly Feature[],
  model: Pick<Model, 'rows' | 'bias' | 'scale'>,
): Record<Class, number> => {
  const sums = CLASSES.map(() => 0);
  for (const feature of features)
    for (const [column, weight] of weigh(feature, model).entries())
      sums[column] = (sums[column] ?? 0) + weight;
  const powers = sums.map((sum, column) => Math.exp((model.bias[column] ?? 0) + model.scale * sum));
  const total = powers.reduce((a, b) => a + b, 0);
  return Object.fromEntries(CLASSES.map((one, column) => [one, (powers[column] ?? 0) / total])) as Record<
    Class,
    number
  >;
};

/** The features that speak most for a class, the strongest first. */
export const explain = (features: readonly Feature[], one: Class, model: Pick<Model, 'rows'>): string[] => {
  const column = CLASSES.indexOf(one);
  const strengths = new Map<string, number>();
  for (const feature of features) {
    const all = weigh(feature, model);
    const mean = all.reduce((a, b) => a + b, 0) / all.length;
    const strength = (all[column] ?? 0) - mean;
    strengths.set(feature.name, (strengths.get(feature.name) ?? 0) + strength);
  }
  return [...strengths]
    .filter(([, strength]) => strength > 0)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, 3)
    .map(([name]) => name);
};
