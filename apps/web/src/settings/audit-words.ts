import type { AuditEntry, AuditEvent } from '@mailsweep/contracts';

const countBrowsers = (sessions: unknown): string =>
  typeof sessions === 'number' ? ` (${sessions} ${sessions === 1 ? 'browser' : 'browsers'})` : '';

const WORDS: Record<AuditEvent, (details: AuditEntry['details']) => string> = {
  signed_in: () => 'Signed in',
  sign_in_refused: ({ code }) =>
    code === 'missing_scope' ? 'Sign-in refused: no access to the mailbox was granted' : 'Sign-in failed',
  signed_out: () => 'Signed out',
  signed_out_everywhere: ({ sessions }) => `Signed out everywhere${countBrowsers(sessions)}`,
  session_revoked: () => 'Signed out another browser',
  data_exported: () => 'Downloaded all data',
};

const isKnown = (event: string): event is AuditEvent => Object.hasOwn(WORDS, event);

/** Says what happened; an event that a newer API has added is named as it is. */
export const describeAuditEntry = ({ event, details }: Pick<AuditEntry, 'event' | 'details'>): string => {
  if (isKnown(event)) return WORDS[event](details);
  const words = event.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
