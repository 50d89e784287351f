import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Sender, Unsubscribe, UnsubscribeError, UnsubscribeState } from '@mailsweep/contracts';

const STATES: Record<UnsubscribeState, MessageDescriptor> = {
  requested: msg`Unsubscribing…`,
  accepted: msg`Unsubscribed`,
  refused: msg`Not unsubscribed`,
  manual: msg`Unsubscribe by hand`,
  still_sending: msg`Still sending`,
};

const ERRORS: Record<UnsubscribeError, MessageDescriptor> = {
  rejected: msg`The sender refused it.`,
  server_error: msg`The sender’s website had an error each time.`,
  redirected: msg`The sender’s website wants you to open a page. You may be unsubscribed already: that page says so.`,
  unreachable: msg`The sender’s website could not be reached.`,
  address_refused: msg`Mailsweep does not open the address in the email.`,
};

/** Many servers accept the request and then confirm on a page; others want it made there. */
const NOT_CONFIRMED = msg`Not confirmed`;

/** The state in a word or two. */
export const describeState = (state: UnsubscribeState, error: UnsubscribeError | null): string =>
  i18n._(error === 'redirected' ? NOT_CONFIRMED : STATES[state]);

export const describeUnsubscribeError = (error: UnsubscribeError): string => i18n._(ERRORS[error]);

/** Whether one can unsubscribe by a request or manually. */
export const canUnsubscribe = (unsubscribe: Unsubscribe | null): unsubscribe is Unsubscribe =>
  unsubscribe !== null &&
  unsubscribe.method !== null &&
  unsubscribe.state !== 'requested' &&
  unsubscribe.state !== 'accepted';

/** Whether the worker can send the request. */
export const takesRequest = ({ unsubscribe }: Pick<Sender, 'unsubscribe'>): boolean =>
  canUnsubscribe(unsubscribe) && unsubscribe.method === 'one_click';

export interface UnsubscribeLink {
  href: string;
  /** A host, or an email address. */
  target: string;
}

/** The page to unsubscribe on, if a browser may open it. */
export const toPageLink = ({ link }: Pick<Unsubscribe, 'link'>): UnsubscribeLink | undefined => {
  const url = link !== null && URL.canParse(link) ? new URL(link) : undefined;
  return url && ['https:', 'http:'].includes(url.protocol) ? { href: url.href, target: url.host } : undefined;
};

export const toEmailLink = ({ mailto }: Pick<Unsubscribe, 'mailto'>): UnsubscribeLink | undefined => {
  const [, address] = /^mailto:([^?]+)/i.exec(mailto ?? '') ?? [];
  return mailto === null || address === undefined ? undefined : { href: mailto, target: address };
};
