import { expect, it } from 'vitest';
import { classificationReport, type Pair } from './classification-report.ts';

const repeat = (count: number, pair: Pair): Pair[] => Array.from({ length: count }, () => pair);

it('has what a hand counts in a confusion matrix', () => {
  // Rows are actual, columns predicted:
  //          archive delete none
  // archive     4      1     1
  // delete      0      2     0
  // none        1      0     3
  const { labels, accuracy, macroAvg, weightedAvg } = classificationReport([
    ...repeat(4, ['archive', 'archive']),
    ...repeat(1, ['archive', 'delete']),
    ...repeat(1, ['archive', 'none']),
    ...repeat(2, ['delete', 'delete']),
    ...repeat(1, ['none', 'archive']),
    ...repeat(3, ['none', 'none']),
  ]);
  const [archive, remove, none] = labels;
  expect(archive).toEqual({
    label: 'archive',
    precision: 4 / 5,
    recall: 4 / 6,
    f1Score: 8 / 11,
    support: 6,
    predicted: 5,
  });
  expect(remove).toEqual({
    label: 'delete',
    precision: 2 / 3,
    recall: 1,
    f1Score: 4 / 5,
    support: 2,
    predicted: 3,
  });
  expect(none).toMatchObject({ precision: 3 / 4, recall: 3 / 4, f1Score: 3 / 4 });
  expect(accuracy).toBe(9 / 12);
  expect(macroAvg.precision).toBeCloseTo((4 / 5 + 2 / 3 + 3 / 4) / 3, 12);
  expect(weightedAvg.recall).toBeCloseTo((6 * (4 / 6) + 2 * 1 + 4 * (3 / 4)) / 12, 12);
});

it('has no score where there is nothing to divide by, and leaves it out of the averages', () => {
  const { labels, macroAvg } = classificationReport([
    ['notify', 'none'],
    ['none', 'none'],
    ['none', 'label'],
  ]);
  expect(labels).toMatchObject([
    { label: 'label', precision: 0, recall: null, f1Score: 0, support: 0 },
    { label: 'none', precision: 1 / 2, recall: 1 / 2 },
    { label: 'notify', precision: null, recall: 0, f1Score: 0, predicted: 0 },
  ]);
  expect(macroAvg).toMatchObject({ precision: 1 / 4, recall: 1 / 4 });
  expect(classificationReport([])).toEqual({
    labels: [],
    accuracy: null,
    macroAvg: { precision: null, recall: null, f1Score: null },
    weightedAvg: { precision: null, recall: null, f1Score: null },
  });
});
