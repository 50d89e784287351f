import { isSuggestedAction, type Suggestion } from '@mailsweep/contracts';
import { type FoundLabel, type Mailbox, NO_CHANGE } from '@mailsweep/mailbox-sync';
import type { EmailRequest } from './act-on-emails.ts';
import { findClassificationLabels } from './classification-labels.ts';
import { LABEL_CHANGES } from './label-change.ts';

/** The labels for classifications. */
type Labels = ReadonlyMap<string, FoundLabel>;

/**
 * Plans what accepting the suggestions of emails does. Labels that are missing are created, for the first emails first
 * where labels are limited.
 *
 * @param suggestions - of each email, best first
 */
export const planAcceptances = async (
  mailbox: Mailbox,
  suggestions: ReadonlyMap<string, Suggestion[]>,
): Promise<(emailId: string) => EmailRequest> => {
  const classifications = [...suggestions.values()]
    .flatMap(([best]) => best ?? [])
    .filter(({ action }) => action === 'label')
    .map(({ classification }) => classification);
  const labels = await findClassificationLabels(mailbox, classifications);
  return (emailId) => toAcceptance(emailId, suggestions.get(emailId) ?? [], labels);
};

const toAcceptance = (emailId: string, shown: Suggestion[], labels: Labels): EmailRequest => {
  const [best] = shown;
  if (best === undefined) {
    const note = 'No suggestion was stored for this email, so it was archived.';
    return { emailId, labelChange: LABEL_CHANGES.archive, status: 'ok', note };
  }
  const isAdvice = !isSuggestedAction(best.action);
  const note = `Accepted: ${best.action} (${best.classification}).`;
  return {
    emailId,
    ...toLabelChange(best, labels),
    status: isAdvice || best.action === 'notify' ? 'skipped' : 'ok',
    note: isAdvice ? `${note} This is advice, so the mailbox was left as it was.` : note,
    suggestions: shown,
  };
};

const toLabelChange = (
  { action, classification }: Suggestion,
  labels: Labels,
): Pick<EmailRequest, 'labelChange' | 'refusal'> => {
  switch (action) {
    case 'archive':
    case 'delete':
      return { labelChange: LABEL_CHANGES[action] };
    case 'label': {
      const label = labels.get(classification);
      if (label === undefined) return { labelChange: NO_CHANGE };
      if ('reason' in label) return { labelChange: NO_CHANGE, refusal: label.reason };
      return { labelChange: { added: [label.id], removed: [] } };
    }
    // `notify` and advice ask nothing of the mailbox.
    default:
      return { labelChange: NO_CHANGE };
  }
};
