import { expect, it } from 'vitest';
import { calibrate } from './calibration.ts';

it('has confidence and share that is right by bins of a tenth, and their mean distance', () => {
  const { bins, expectedCalibrationError } = calibrate([
    { confidence: 0.95, isRight: true },
    { confidence: 0.97, isRight: false },
    { confidence: 0.5, isRight: true },
    // As in scikit-learn, an edge belongs to the bin below it.
    { confidence: 0.9, isRight: true },
    { confidence: 0, isRight: false },
  ]);
  expect(bins).toHaveLength(10);
  expect(bins.map(({ count }) => count)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1, 2]);
  expect(bins[9]).toEqual({ lower: 0.9, upper: 1, count: 2, probPred: 0.96, probTrue: 0.5 });
  expect(bins[1]).toMatchObject({ probPred: null, probTrue: null });
  // (1·|0 − 0| + 1·|1 − 0.5| + 1·|1 − 0.9| + 2·|0.5 − 0.96|) / 5
  expect(expectedCalibrationError).toBeCloseTo((0.5 + 0.1 + 2 * 0.46) / 5, 12);
});

it('has no error where nothing was predicted', () => {
  expect(calibrate([]).expectedCalibrationError).toBeNull();
});
