import type { ConfirmRequest } from '@mailsweep/contracts';

/** What the user has done to emails instead of what is suggested for them. */
export interface OtherAction {
  action: NonNullable<ConfirmRequest['as']>;
  /** Name of the label to add. */
  label: string;
}

/** Whether it can be carried out: a label needs a name. */
export const isReady = (other: OtherAction | undefined): boolean =>
  other?.action !== 'label' || other.label.trim() !== '';

/** Nothing where it is what is suggested for all of them anyway: that is an acceptance, which is learned from. */
export const toChange = (
  other: OtherAction | undefined,
  suggested: Readonly<Record<string, number>>,
): OtherAction | undefined => {
  const isSame = Object.entries(suggested).every(
    ([action, count]) => count === 0 || action === other?.action,
  );
  return isSame && other?.action !== 'label' ? undefined : other;
};
