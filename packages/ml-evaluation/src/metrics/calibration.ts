/** A confidence, and whether what it was said of is right. */
export interface Prediction {
  confidence: number;
  isRight: boolean;
}

/** Predictions whose confidence is above `lower` and at most `upper`; the first bin has those of 0, too. */
export interface CalibrationBin {
  lower: number;
  upper: number;
  count: number;
  /** Their mean confidence; null where there are none. */
  probPred: number | null;
  /** The share of them that is right; null where there are none. */
  probTrue: number | null;
}

/** As `sklearn.calibration.calibration_curve` has it, with ten bins of the same width. */
export interface Calibration {
  bins: CalibrationBin[];
  /** How far confidence and precision are apart, on average over all predictions; null where there are none. */
  expectedCalibrationError: number | null;
}

const BIN_COUNT = 10;

const toBin = (predictions: readonly Prediction[], index: number): CalibrationBin => {
  const [lower, upper] = [index / BIN_COUNT, (index + 1) / BIN_COUNT];
  const own = predictions.filter(
    ({ confidence }) => confidence <= upper && (confidence > lower || index === 0),
  );
  const count = own.length;
  const confidences = own.reduce((sum, { confidence }) => sum + confidence, 0);
  const right = own.filter(({ isRight }) => isRight).length;
  return {
    lower,
    upper,
    count,
    probPred: count === 0 ? null : confidences / count,
    probTrue: count === 0 ? null : right / count,
  };
};

export const calibrate = (predictions: readonly Prediction[]): Calibration => {
  const bins = Array.from({ length: BIN_COUNT }, (_, index) => toBin(predictions, index));
  const error = bins.reduce(
    (sum, { count, probPred, probTrue }) =>
      probPred === null || probTrue === null
        ? sum
        : sum + (count / predictions.length) * Math.abs(probTrue - probPred),
    0,
  );
  return { bins, expectedCalibrationError: predictions.length === 0 ? null : error };
};
