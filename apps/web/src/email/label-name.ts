import type { LabelNames } from '@mailsweep/contracts';

/**
 * The label at Gmail that accepting a suggestion to label an email puts on it.
 *
 * @param ownNames - those that the user chose
 */
export const toLabelName = (classification: string, ownNames: LabelNames = {}): string =>
  Object.hasOwn(ownNames, classification) ? (ownNames[classification] ?? '') : `Mailsweep/${classification}`;
