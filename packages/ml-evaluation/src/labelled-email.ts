import type { MlRequestItem } from '@mailsweep/contracts';

/** No suggestion, as an action or a classification. */
export const NONE = 'none';

/** An email with what a careful user would want of it. */
export interface LabelledEmail {
  email: MlRequestItem;
  /** The actions that are right, the best first; {@link NONE} alone: no suggestion is right. */
  actions: readonly [string, ...string[]];
  /** The right word of the service's own; absent where it is not judged. */
  classification?: string | undefined;
  /** What it is about; email of the kind `personal` is counted apart. */
  kind?: string | undefined;
  /** Code of its language; `mul` where a file mixes several. */
  language?: string | undefined;
}

/** Actions that take email out of the inbox. */
export type ClearingAction = 'archive' | 'delete';
