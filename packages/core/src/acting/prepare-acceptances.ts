import { isSuggestedAction, type Suggestion } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type Mailbox, NO_CHANGE } from '@mailsweep/mail/mailbox';
import { findPreferences } from '../preferences/preferences.repository.ts';
import type { EmailRequest } from './act-on-emails.ts';
import { type ClassificationLabel, findClassificationLabels } from './classification-labels.ts';
import { LABEL_CHANGES } from './prepare-chosen-action.ts';

type Labels = ReadonlyMap<string, ClassificationLabel>;

/**
 * Plans what accepting the suggestions of emails does. Labels that are missing are created, for the first emails first
 * where labels are limited. The user may have named them.
 *
 * @param suggestions - of each email, best first
 */
export const prepareAcceptances = async (
  { database, userId, mailbox }: { database: Database; userId: string; mailbox: Mailbox },
  suggestions: ReadonlyMap<string, Suggestion[]>,
): Promise<(emailId: string) => EmailRequest> => {
  const classifications = [...suggestions.values()]
    .flatMap(([best]) => best ?? [])
    .filter(({ action }) => action === 'label')
    .map(({ classification }) => classification);
  const labels = await findLabels();
  return (emailId) => toAcceptance(emailId, suggestions.get(emailId) ?? [], labels);

  async function findLabels(): Promise<Labels> {
    if (classifications.length === 0) return new Map();
    const { labelNames } = await findPreferences(database, userId);
    return await findClassificationLabels(mailbox, classifications, labelNames);
  }
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
): Pick<EmailRequest, 'labelChange' | 'refusal' | 'label'> => {
  switch (action) {
    case 'archive':
    case 'delete':
      return { labelChange: LABEL_CHANGES[action] };
    case 'label': {
      const label = labels.get(classification);
      if (label === undefined) return { labelChange: NO_CHANGE };
      if ('reason' in label) return { labelChange: NO_CHANGE, refusal: label.reason, label: label.name };
      return { labelChange: { added: [label.id], removed: [] }, label: label.name };
    }
    // `notify` and advice ask nothing of the mailbox.
    default:
      return { labelChange: NO_CHANGE };
  }
};
