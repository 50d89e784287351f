import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { SignInError } from '@mailsweep/contracts';
import type { SignInReason } from '../session/sign-in-page.ts';

/** Why a sign-in failed and what to do, by the API's code. */
const ERRORS: Record<SignInError, MessageDescriptor> = {
  access_denied: msg`You did not grant access, so nothing was connected. Sign in again when you are ready.`,
  account_mismatch: msg`You chose another Google account than the one to renew, so nothing was changed. To use the other account, sign in with it here.`,
  domain_policy: msg`The administrator of this Google account does not allow Mailsweep. Ask them to trust it, or use another account.`,
  gmail_api_disabled: msg`The Gmail API is not enabled for this installation of Mailsweep. Its operator has to enable it in the Google Cloud console; try again some minutes later.`,
  invalid_state: msg`This sign-in did not begin in this browser. Please start it again from here.`,
  login_expired: msg`The sign-in took longer than ten minutes. Please start it again.`,
  mail_service_disabled: msg`This Google account has no Gmail, or Gmail is turned off for it. Sign in with another account.`,
  mailbox_taken: msg`This mailbox already belongs together with other mailboxes. Sign in with it, take it out in the settings under “Mailboxes”, then add it here.`,
  missing_scope: msg`Mailsweep needs the permission to read and change email labels. Google leaves its box empty: sign in again and tick the box for Gmail.`,
  provider_configuration: msg`Google does not accept this installation of Mailsweep. Its operator finds the reason in the log.`,
  provider_error: msg`Google could not complete the sign-in. Please try again.`,
  provider_unavailable: msg`Google did not respond. Please try again in a moment.`,
  recent_sign_in_required: msg`To add a mailbox, you have to have signed in within the last ten minutes. Sign in again, then add it.`,
  temporarily_unavailable: msg`Mailsweep is not available right now. Please try again in a moment.`,
  mailbox_limit: msg`You have the maximum number of mailboxes. Take one out in the settings, then add this one.`,
};

/** The same for providers other than Google. */
const ERRORS_ELSEWHERE: Partial<Record<SignInError, MessageDescriptor>> = {
  account_mismatch: msg`You chose another account than the one to renew, so nothing was changed. To use the other account, sign in with it here.`,
  domain_policy: msg`The administrator of this account does not allow Mailsweep. Ask them to trust it, or use another account.`,
  mail_service_disabled: msg`This account has no mailbox of its own. Sign in with another account.`,
  missing_scope: msg`Mailsweep needs the permission to read and change your email. Sign in again and allow it.`,
  provider_configuration: msg`Your mail provider does not accept this installation of Mailsweep, or is at another address. The operator finds the reason in the log.`,
  provider_error: msg`Your mail provider could not complete the sign-in. Please try again.`,
  provider_unavailable: msg`Your mail provider did not respond. Please try again in a moment.`,
};

const REASONS: Record<SignInReason, MessageDescriptor> = {
  expired: msg`Your session has ended. Sign in to go on where you were.`,
  signed_out: msg`You are signed out. See you soon.`,
  signed_out_everywhere: msg`You are signed out here and on every other device.`,
  erased: msg`Everything stored about you was erased, and your email stays as it is. Take care.`,
};

export interface SignInNotice {
  role: 'alert' | 'status';
  words: string;
}

const find = (words: Record<string, MessageDescriptor>, code: string): MessageDescriptor | undefined =>
  Object.hasOwn(words, code) ? words[code] : undefined;

/** The notice for an address; unknown codes count as an error of the provider. */
export const toSignInNotice = (search: string): SignInNotice | undefined => {
  const parameters = new URLSearchParams(search);
  const error = parameters.get('error');
  if (error !== null) {
    const errors = parameters.has('provider') ? { ...ERRORS, ...ERRORS_ELSEWHERE } : ERRORS;
    return { role: 'alert', words: i18n._(find(errors, error) ?? errors.provider_error) };
  }
  const words = find(REASONS, parameters.get('reason') ?? '');
  return words === undefined ? undefined : { role: 'status', words: i18n._(words) };
};

export const showSignInNotice = (): void => {
  const notice = toSignInNotice(window.location.search);
  const place = document.getElementById('notice');
  if (!notice || !place) return;
  place.setAttribute('role', notice.role);
  place.querySelector('span')?.replaceChildren(notice.words);
  place.hidden = false;
};

const createLink = (className: string, href: string, words: string): HTMLElement =>
  Object.assign(document.createElement('a'), { className, href, textContent: words });

/**
 * Says that the page adds a mailbox, if it does, and has the links do so; or sign in again, where that comes first.
 */
export const showAdding = (): void => {
  const parameters = new URLSearchParams(window.location.search);
  const door = document.querySelector<HTMLAnchorElement>('.door-button');
  if (parameters.get('add') !== 'true' || !door) return;
  const title = i18n._(msg`Add a mailbox`);
  document.title = `${title} · Mailsweep`;
  document.querySelector('h1')?.replaceChildren(title);
  if (parameters.get('error') === ('recent_sign_in_required' satisfies SignInError)) {
    for (const part of document.querySelectorAll('.door-button ~ .door-hint, .door-look')) part.remove();
    const { href } = new URL('/auth/idp?renew=true', door.href);
    door.replaceWith(createLink('door-other', href, i18n._(msg`Sign in again`)));
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('.door-button, .door-look'))
    link.href += `${link.search === '' ? '?' : '&'}add=true`;
  document.querySelector('.door-card')?.append(createLink('door-back', '/', i18n._(msg`Back to Mailsweep`)));
};
