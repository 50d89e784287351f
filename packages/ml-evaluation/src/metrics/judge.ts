import type { MlRequestItem, Suggestion } from '@mailsweep/contracts';
import { type LabelledEmail, NONE } from '../labelled-email.ts';

/** An email with what was suggested first for it, and whether that is right. */
export interface Judged {
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
export const judge = (labelled: LabelledEmail, suggestions: readonly Suggestion[]): Judged => {
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
