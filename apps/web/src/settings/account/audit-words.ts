import { plural, t } from '@lingui/core/macro';
import type { AuditEntry, AuditEvent } from '@mailsweep/contracts';

const WORDS: Record<AuditEvent, (details: AuditEntry['details']) => string> = {
  signed_in: () => t`Signed in`,
  sign_in_refused: ({ code }) =>
    code === 'missing_scope' ? t`Sign-in refused: no access to the mailbox was granted` : t`Sign-in failed`,
  signed_out: () => t`Signed out`,
  signed_out_everywhere: ({ sessions }) =>
    typeof sessions === 'number'
      ? plural(sessions, {
          one: 'Signed out everywhere (# browser)',
          other: 'Signed out everywhere (# browsers)',
        })
      : t`Signed out everywhere`,
  session_revoked: () => t`Signed out another browser`,
  token_created: ({ tokenName }) => t`Made the access token “${String(tokenName)}”`,
  token_renamed: ({ tokenName }) => t`Renamed an access token to “${String(tokenName)}”`,
  token_revoked: ({ tokenName }) => t`Revoked the access token “${String(tokenName)}”`,
  mailbox_added: ({ mailbox }) => t`Added the mailbox ${String(mailbox)}`,
  mailbox_removed: ({ mailbox }) => t`Took out the mailbox ${String(mailbox)}`,
  data_exported: () => t`Downloaded all data`,
  watch_enabled: () => t`Switched on watching for new email`,
  watch_disabled: () => t`Switched off watching for new email`,
  training_data_enabled: () => t`Switched on giving decisions as training data`,
  training_data_changed: () => t`Changed what training data has of senders and subjects`,
  training_data_disabled: () => t`Switched off giving decisions as training data`,
  unsubscribe_requested: () => t`Asked to unsubscribe from a sender`,
  rule_created: () => t`Created a rule`,
  rule_changed: ({ enabled }) => {
    if (enabled === undefined) return t`Changed a rule`;
    return enabled === 'true' ? t`Turned on a rule` : t`Turned off a rule`;
  },
  rule_deleted: () => t`Deleted a rule`,
  rule_paused: () => t`A rule paused itself`,
};

const isKnown = (event: string): event is AuditEvent => Object.hasOwn(WORDS, event);

/** Describes an event; unknown ones of a newer API by their name. */
export const describeAuditEntry = ({ event, details }: Pick<AuditEntry, 'event' | 'details'>): string => {
  if (isKnown(event)) return WORDS[event](details);
  const words = event.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
