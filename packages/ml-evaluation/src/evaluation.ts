import type { Suggestion } from '@mailsweep/contracts';
import { type ClearingAction, type LabelledEmail, NONE } from './labelled-email.ts';
import { type Calibration, calibrate } from './metrics/calibration.ts';
import {
  type ClassificationReport,
  classificationReport,
  type Scores,
  shareOf,
} from './metrics/classification-report.ts';
import { type Judged, judge } from './metrics/judge.ts';

/** How often a classification was suggested first, and was right; recall and F1 need labels that have classifications. */
export interface ClassificationScores extends Scores {
  label: string;
  predicted: number;
  /** Emails labelled with it; null where the labels have no classifications. */
  support: number | null;
}

/** Emails that would be archived or deleted, though that is wrong. */
export interface FalseClears {
  /** Of the kind `personal`. */
  personal: Record<ClearingAction, number>;
  other: Record<ClearingAction, number>;
}

/** How right a service is. */
export interface Evaluation {
  actions: ClassificationReport;
  classifications: ClassificationScores[];
  /** Of the first suggestions: confidence against whether the action is right. */
  calibration: Calibration;
  falseClears: FalseClears;
  judged: Judged[];
}

/** Emails whose label has no classification are left out; where none has one, what counts is whether the action is right. */
const scoreClassifications = (judged: readonly Judged[]): ClassificationScores[] => {
  const pairs = judged.flatMap(({ actualClassification, predictedClassification }) =>
    actualClassification === undefined ? [] : [[actualClassification, predictedClassification] as const],
  );
  if (pairs.length > 0) return classificationReport(pairs).labels.filter(({ label }) => label !== NONE);
  const suggested = judged.filter(({ best }) => best !== undefined);
  const names = new Set(suggested.map(({ predictedClassification }) => predictedClassification));
  return [...names].toSorted().map((label) => {
    const own = suggested.filter(({ predictedClassification }) => predictedClassification === label);
    const right = own.filter(({ isRight }) => isRight).length;
    return {
      label,
      precision: shareOf(right, own.length),
      recall: null,
      f1Score: null,
      predicted: own.length,
      support: null,
    };
  });
};

const countFalseClears = (judged: readonly Judged[]): FalseClears => {
  const count = (isPersonal: boolean) => {
    const wrong = judged.filter(({ kind, isRight }) => !isRight && (kind === 'personal') === isPersonal);
    const countOf = (action: ClearingAction) => wrong.filter(({ predicted }) => predicted === action).length;
    return { archive: countOf('archive'), delete: countOf('delete') };
  };
  return { personal: count(true), other: count(false) };
};

/**
 * Judges what a service suggests first for each email.
 *
 * @param suggestionsById - its suggestions by email id
 */
export const evaluate = (
  labelled: readonly LabelledEmail[],
  suggestionsById: ReadonlyMap<string, readonly Suggestion[]>,
): Evaluation => {
  const judged = labelled.map((one) => judge(one, suggestionsById.get(one.email.id) ?? []));
  return {
    actions: classificationReport(judged.map(({ actual, predicted }) => [actual, predicted])),
    classifications: scoreClassifications(judged),
    calibration: calibrate(
      judged.flatMap(({ best, isRight }) =>
        best === undefined ? [] : [{ confidence: best.confidence_score, isRight }],
      ),
    ),
    falseClears: countFalseClears(judged),
    judged,
  };
};
