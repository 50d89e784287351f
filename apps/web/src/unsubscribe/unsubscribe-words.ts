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

/** Many servers take the request and then lead to a page that says so; others want it to be made there. */
const NOT_CONFIRMED = msg`Not confirmed`;

/** What became of unsubscribing, in a word or two. */
export const describeState = (state: UnsubscribeState, error: UnsubscribeError | null): string =>
  i18n._(error === 'redirected' ? NOT_CONFIRMED : STATES[state]);

/** Why it came to nothing. */
export const describeUnsubscribeError = (error: UnsubscribeError): string => i18n._(ERRORS[error]);

/** Whether there is something to ask of the sender, or to do by hand. */
export const canUnsubscribe = (unsubscribe: Unsubscribe | null): unsubscribe is Unsubscribe =>
  unsubscribe !== null &&
  unsubscribe.method !== null &&
  unsubscribe.state !== 'requested' &&
  unsubscribe.state !== 'accepted';

/** Whether the worker can send the request. */
export const takesRequest = ({ unsubscribe }: Pick<Sender, 'unsubscribe'>): boolean =>
  canUnsubscribe(unsubscribe) && unsubscribe.method === 'one_click';

/** Where the user unsubscribes manually. */
export interface UnsubscribeLink {
  href: string;
  /** A host, or an address to write to. */
  target: string;
}

/** The page where the user unsubscribes; undefined where it is none that a browser should open. */
export const toPageLink = ({ link }: Pick<Unsubscribe, 'link'>): UnsubscribeLink | undefined => {
  const url = link !== null && URL.canParse(link) ? new URL(link) : undefined;
  return url && ['https:', 'http:'].includes(url.protocol) ? { href: url.href, target: url.host } : undefined;
};

/** The email by which the user unsubscribes. */
export const toEmailLink = ({ mailto }: Pick<Unsubscribe, 'mailto'>): UnsubscribeLink | undefined => {
  const [, address] = /^mailto:([^?]+)/i.exec(mailto ?? '') ?? [];
  return mailto === null || address === undefined ? undefined : { href: mailto, target: address };
};
