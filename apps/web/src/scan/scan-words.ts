import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import type { Scan, ScanError } from '@mailsweep/contracts';
import { countEmails, formatCount } from '../email/counts.ts';

const MINUTE_S = 60;
const HOUR_MIN = 60;
/** Longer times are rounded to minutes: they are estimates. */
const COARSE_MIN = 5;

/** A duration in words: `less than a minute`, `about 12 minutes`, `about 1 h 20 min`. */
export const describeDuration = (seconds: number): string => {
  if (seconds < MINUTE_S) return t`less than a minute`;
  const minutes = Math.round(seconds / MINUTE_S);
  if (minutes === 1) return t`about a minute`;
  if (minutes < HOUR_MIN) return plural(minutes, { other: 'about # minutes' });
  const coarse = Math.round(minutes / COARSE_MIN) * COARSE_MIN;
  const rest = coarse % HOUR_MIN;
  const hours = Math.floor(coarse / HOUR_MIN);
  return rest > 0 ? t`about ${hours} h ${rest} min` : t`about ${hours} h`;
};

export interface ScanWords {
  title: string;
  detail: string;
}

const WAITING: Partial<Record<ScanError, Record<keyof ScanWords, MessageDescriptor>>> = {
  rate_limited: {
    title: msg`Waiting for your mail provider’s quota`,
    detail: msg`Your mail provider allows only so many requests a minute.`,
  },
  daily_limit_exceeded: {
    title: msg`Waiting for Gmail’s daily quota`,
    detail: msg`It begins again at midnight Pacific time.`,
  },
  gmail_api_disabled: {
    title: msg`Waiting for the Gmail API`,
    detail: msg`The operator has to enable it in the Google project.`,
  },
  provider_configuration: {
    title: msg`Waiting for the operator`,
    detail: msg`Your mail provider does not accept this installation of Mailsweep.`,
  },
  mailbox_unavailable: {
    title: msg`Waiting for your mail provider`,
    detail: msg`Your mail provider does not respond at the moment.`,
  },
  classification_unavailable: {
    title: msg`Waiting for suggestions`,
    detail: msg`The classification service does not respond at the moment.`,
  },
};

const FAILED: Record<ScanError, MessageDescriptor> = {
  reauth_required: msg`Your mail provider wants you to renew the connection to your mailbox.`,
  missing_scope: msg`Access to Gmail was not granted. Sign in again and tick the box for Gmail.`,
  mail_service_disabled: msg`This Google account has no Gmail, or Gmail is turned off for it.`,
  no_inbox: msg`The mail server shows no mailbox as your inbox.`,
  domain_policy: msg`The administrator of your Google account does not allow Mailsweep.`,
  forbidden: msg`Your mail provider refused access to your mailbox.`,
  daily_limit_exceeded: msg`Gmail’s daily quota was used up.`,
  gmail_api_disabled: msg`The operator has to enable the Gmail API in the Google project.`,
  provider_configuration: msg`Your mail provider did not accept this installation of Mailsweep for hours.`,
  rate_limited: msg`Your mail provider’s quota held it up for hours.`,
  mailbox_unavailable: msg`Your mail provider did not respond for hours.`,
  classification_unavailable: msg`The classification service did not respond.`,
  timed_out: msg`It made no progress for a day.`,
  label_gone: msg`A label was deleted meanwhile.`,
  label_refused: msg`Your mail provider refused the name of a label.`,
  changed_since: msg`Something unexpected went wrong.`,
  not_permitted: msg`Your mail provider refused access to your mailbox.`,
  too_many_mailboxes: msg`Something unexpected went wrong.`,
  not_found: msg`Part of the mailbox could not be found.`,
  failed: msg`Something unexpected went wrong.`,
};

const toReason = (scan: Scan): ScanWords => {
  const { title, detail } = WAITING[scan.error ?? 'mailbox_unavailable'] ?? {
    title: msg`Waiting for your mailbox`,
    detail: msg`It cannot be read at the moment.`,
  };
  return { title: i18n._(title), detail: i18n._(detail) };
};

/** `300 of about 1,500 emails`, or `300 emails` without a total. */
const describeReach = ({ scanned, total }: Scan): string =>
  total > scanned
    ? t`${{ scanned: formatCount(scanned) }} of about ${{ total: formatCount(total) }} emails`
    : countEmails(scanned);

export const describeProgress = (scan: Scan): ScanWords => {
  if (scan.state === 'waiting') {
    const { title, detail } = toReason(scan);
    return { title, detail: t`${detail} The scan resumes automatically.` };
  }
  const { etaSeconds } = scan;
  const title =
    etaSeconds === null
      ? t`Mailsweep is now reading the rest of your mailbox`
      : t`Mailsweep is now reading the rest of your mailbox: ${{ duration: describeDuration(etaSeconds) }}`;
  const reach = scan.scanned === 0 ? t`Getting ready…` : describeReach(scan);
  return { title, detail: t`${reach} · You can go on meanwhile.` };
};

/** What a scan waits for; null if it does not wait. */
export const describeWait = (scan: Scan): string | null => {
  if (scan.state !== 'waiting') return null;
  const { title, detail } = toReason(scan);
  return t`${title}: the scan resumes automatically. ${detail}`;
};

export const describeFailure = (scan: Scan): string => i18n._(FAILED[scan.error ?? 'failed']);

/** The end of a scan. Says nothing of open suggestions: some found ones may be done by now. */
export const describeEnd = (scan: Scan): ScanWords => ({
  title: t`Your whole mailbox is scanned`,
  detail: t`${{ emails: countEmails(scan.scanned) }} scanned.`,
});

export const describeStop = (scan: Scan): ScanWords => {
  const kept =
    scan.scanned > 0
      ? t`It got to ${{ reach: describeReach(scan) }}. What it found is kept, so that another scan is quick until there.`
      : t`Nothing was changed. You can start another one.`;
  if (scan.state === 'cancelled') return { title: t`You stopped the scan`, detail: kept };
  return { title: t`The scan could not continue`, detail: `${describeFailure(scan)} ${kept}` };
};
