export type Pair = readonly [actual: string, predicted: string];

/** Shares are from 0 to 1; null where nothing was predicted, or nothing is there to be found. */
export interface Scores {
  precision: number | null;
  /** How many of those that are there were predicted. */
  recall: number | null;
  f1Score: number | null;
}

export interface LabelScores extends Scores {
  label: string;
  support: number;
  predicted: number;
}

/** As `sklearn.metrics.classification_report` has it, with `zero_division=nan`. */
export interface ClassificationReport {
  labels: LabelScores[];
  /** How many of all are right; null where there are none. */
  accuracy: number | null;
  /** The mean of all labels; those without a value are left out. */
  macroAvg: Scores;
  /** The same, each label weighing as much as its support. */
  weightedAvg: Scores;
}

/** A share; null of nothing. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

const SCORES = ['precision', 'recall', 'f1Score'] as const;

const average = (labels: readonly LabelScores[], weigh: (label: LabelScores) => number): Scores => {
  const mean = (score: keyof Scores): number | null => {
    const known = labels.flatMap((label) => {
      const value = label[score];
      return value === null ? [] : [{ value, weight: weigh(label) }];
    });
    const sum = known.reduce((total, { value, weight }) => total + value * weight, 0);
    return shareOf(
      sum,
      known.reduce((total, { weight }) => total + weight, 0),
    );
  };
  const [precision, recall, f1Score] = SCORES.map(mean) as [number | null, number | null, number | null];
  return { precision, recall, f1Score };
};

/** Precision, recall and F1 of each label that occurs, in alphabetical order. */
export const classificationReport = (pairs: readonly Pair[]): ClassificationReport => {
  const names = [...new Set(pairs.flat())].toSorted();
  const count = (matches: (pair: Pair) => boolean): number => pairs.filter(matches).length;
  const labels = names.map((label): LabelScores => {
    const right = count(([actual, predicted]) => actual === label && predicted === label);
    const support = count(([actual]) => actual === label);
    const predicted = count((pair) => pair[1] === label);
    return {
      label,
      precision: shareOf(right, predicted),
      recall: shareOf(right, support),
      f1Score: shareOf(2 * right, support + predicted),
      support,
      predicted,
    };
  });
  return {
    labels,
    accuracy: shareOf(
      count(([actual, predicted]) => actual === predicted),
      pairs.length,
    ),
    macroAvg: average(labels, () => 1),
    weightedAvg: average(labels, ({ support }) => support),
  };
};
