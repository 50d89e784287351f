import type { MlRequestItem, Suggestion } from '@mailsweep/contracts';
import { type ClearingAction, type LabelledEmail, NONE } from './labelled-email.ts';
import { type Calibration, calibrate } from './metrics/calibration.ts';
import {
  type ClassificationReport,
  classificationReport,
  type Scores,
  shareOf,
} from './metrics/classification-report.ts';

/** An email with what was suggested first for it, and whether that is right. */
interface Judged {
  email: MlRequestItem;
  kind: string | undefined;
  /** The most confident suggestion, which is the one that accepting carries out. */
  best: Suggestion | undefined;
  /** Its action, or {@link NONE}. */
  predicted: string;
  /** The action that is right: the predicted one where several are and it is among them. */
  actual: string;
  isRight: boolean;
  /** Its classification, or {@link NONE}. */
  predictedClassification: string;
  /** The classification that is right; undefined where it is not labelled. */
  actualClassification: string | undefined;
}

/** @param suggestions - what the service suggests for the email, in any order */
const judge = (labelled: LabelledEmail, suggestions: readonly Suggestion[]): Judged => {
  const best = suggestions.toSorted((a, b) => b.confidence_score - a.confidence_score)[0];
  const predicted = best?.action ?? NONE;
  const isRight = labelled.actions.includes(predicted);
  return {
    email: labelled.email,
    kind: labelled.kind,
    best,
    predicted,
    actual: isRight ? predicted : labelled.actions[0],
    isRight,
    predictedClassification: best?.classification ?? NONE,
    actualClassification: labelled.classification,
  };
};

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
