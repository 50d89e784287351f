import type { CleanupAction, InboxAction, LabelChange, Suggestion } from '@mailsweep/contracts';
import { type Mailbox, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import type { EmailRequest } from './act-on-emails.ts';
import { findOwnLabel } from './classification-labels.ts';

/** The label change of each action. Delete moves to the trash, never beyond. */
export const LABEL_CHANGES: Record<InboxAction, LabelChange> = {
  archive: { added: [], removed: [SYSTEM_LABELS.inbox] },
  delete: { added: [SYSTEM_LABELS.trash], removed: [SYSTEM_LABELS.inbox] },
  mark_unread: { added: [SYSTEM_LABELS.unread], removed: [] },
  mark_read: { added: [], removed: [SYSTEM_LABELS.unread] },
};

/** An action that the user chose for all emails of a request. */
interface ChosenAction {
  action: Exclude<CleanupAction, 'accept'>;
  label?: string | undefined;
}

/** Says in a history record what was done instead of what was suggested. */
const toNote = (action: string, [best]: readonly Suggestion[]): string =>
  best === undefined
    ? `No suggestion was stored for this email; chosen: ${action}.`
    : `Suggested: ${best.action} (${best.classification}); chosen instead: ${action}.`;

/**
 * Prepares the same action for emails, whatever is suggested for them. A missing label is created.
 *
 * @param suggestions - of each email, best first, where the user decides about suggestions
 * @throws MailboxError when the label can't be found or created
 */
export const prepareChosenAction = async (
  mailbox: Mailbox,
  { action, label }: ChosenAction,
  suggestions?: ReadonlyMap<string, Suggestion[]>,
): Promise<(emailId: string) => EmailRequest> => {
  const labelChange =
    action === 'label'
      ? { added: [await findOwnLabel(mailbox, label ?? '')], removed: [] }
      : LABEL_CHANGES[action];
  return (emailId) => {
    const request = { emailId, labelChange, label, status: 'ok' as const };
    if (suggestions === undefined) return { ...request, note: '' };
    const shown = suggestions.get(emailId) ?? [];
    return { ...request, note: toNote(action, shown), ...(shown.length > 0 && { suggestions: shown }) };
  };
};
