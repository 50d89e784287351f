import type { Scan, ScanError } from '@mailsweep/contracts';
import { countEmails, formatCount } from '../email/counts.ts';

const MINUTE_S = 60;
/** By Gmail's quota, as measured. */
export const MINUTES_PER_1000_EMAILS = 4;
const HOUR_MIN = 60;
/** Longer times are rounded to so many minutes; they are not known more exactly. */
const COARSE_MIN = 5;

/** How long something will take, in words: `less than a minute`, `about 12 minutes`, `about 1 h 20 min`. */
export const describeDuration = (seconds: number): string => {
  if (seconds < MINUTE_S) return 'less than a minute';
  const minutes = Math.round(seconds / MINUTE_S);
  if (minutes === 1) return 'about a minute';
  if (minutes < HOUR_MIN) return `about ${minutes} minutes`;
  const coarse = Math.round(minutes / COARSE_MIN) * COARSE_MIN;
  const rest = coarse % HOUR_MIN;
  return `about ${Math.floor(coarse / HOUR_MIN)} h${rest > 0 ? ` ${rest} min` : ''}`;
};

/**
 * The time until the end of a scan, in seconds; null while that is not known. Gmail grants its quota by the minute, so
 * that the pace of the first minute lasts only where most emails are cached and cost no quota.
 */
export const estimateSecondsLeft = (scan: Scan): number | null => {
  const { scanned, total, unitsUsed, startedAt, updatedAt } = scan;
  if (startedAt === null || scanned === 0 || total <= scanned) return null;
  const elapsed = (Date.parse(updatedAt) - Date.parse(startedAt)) / 1_000;
  const isCached = unitsUsed < scanned;
  const atQuota = (scanned / 1_000) * MINUTES_PER_1000_EMAILS * MINUTE_S;
  const taken = elapsed < MINUTE_S && !isCached ? Math.max(elapsed, atQuota) : elapsed;
  return (taken / scanned) * (total - scanned);
};

/** A title, and a sentence below it. */
export interface ScanWords {
  title: string;
  detail: string;
}

const WAITING: Partial<Record<ScanError, ScanWords>> = {
  rate_limited: {
    title: 'Waiting for Gmail’s quota',
    detail: 'Gmail allows only so many requests a minute.',
  },
  daily_limit_exceeded: {
    title: 'Waiting for Gmail’s daily quota',
    detail: 'It begins again at midnight Pacific time.',
  },
  gmail_api_disabled: {
    title: 'Waiting for the Gmail API',
    detail: 'The operator has to enable it in the Google project.',
  },
  provider_configuration: {
    title: 'Waiting for the operator',
    detail: 'Google does not accept this installation of Mailsweep.',
  },
  mailbox_unavailable: {
    title: 'Waiting for Gmail',
    detail: 'Gmail does not respond at the moment.',
  },
  classification_unavailable: {
    title: 'Waiting for suggestions',
    detail: 'The classification service does not respond at the moment.',
  },
};

const FAILED: Record<ScanError, string> = {
  reauth_required: 'Google wants you to renew the connection to your mailbox.',
  missing_scope: 'Access to Gmail was not granted. Sign in again and tick the box for Gmail.',
  mail_service_disabled: 'This Google account has no Gmail, or Gmail is turned off for it.',
  domain_policy: 'The administrator of your Google account does not allow Mailsweep.',
  forbidden: 'Google refused access to your mailbox.',
  daily_limit_exceeded: 'Gmail’s daily quota was used up.',
  gmail_api_disabled: 'The operator has to enable the Gmail API in the Google project.',
  provider_configuration: 'Google did not accept this installation of Mailsweep for hours.',
  rate_limited: 'Gmail’s quota held it up for hours.',
  mailbox_unavailable: 'Gmail did not respond for hours.',
  classification_unavailable: 'The classification service did not respond.',
  timed_out: 'It made no progress for a day.',
  label_gone: 'A label was deleted in Gmail meanwhile.',
  not_found: 'Part of the mailbox could not be found.',
  failed: 'Something unexpected went wrong.',
};

/** `300 of about 1,500 emails`, or `300 emails` where it is not known how many there are. */
const describeReach = ({ scanned, total }: Scan): string =>
  total > scanned ? `${formatCount(scanned)} of about ${formatCount(total)} emails` : countEmails(scanned);

/** How far a scan is that goes on by itself. */
export const describeProgress = (scan: Scan): ScanWords => {
  if (scan.state === 'waiting') {
    const { title, detail } = WAITING[scan.error ?? 'mailbox_unavailable'] ?? {
      title: 'Waiting for your mailbox',
      detail: 'It cannot be read at the moment.',
    };
    return { title, detail: `${detail} The scan goes on by itself.` };
  }
  if (scan.scanned === 0) return { title: 'Scanning your mailbox', detail: 'Getting ready…' };
  const seconds = estimateSecondsLeft(scan);
  const left = seconds === null ? [] : [`${describeDuration(seconds)} left`];
  return { title: 'Scanning your mailbox', detail: [describeReach(scan), ...left].join(' · ') };
};

/** What a scan has found that went through the whole mailbox. */
export const describeEnd = (scan: Scan): ScanWords => ({
  title: 'Your whole mailbox is scanned',
  detail: `${countEmails(scan.scanned)} looked at, ${formatCount(scan.suggested)} with suggestions.`,
});

/** Why a scan ended before it was through. */
export const describeStop = (scan: Scan): ScanWords => {
  const kept =
    scan.scanned > 0
      ? `It got to ${describeReach(scan)}. What it found is kept, so that another scan is quick until there.`
      : 'Nothing was changed. You can start another one.';
  if (scan.state === 'cancelled') return { title: 'You stopped the scan', detail: kept };
  return { title: 'The scan could not go on', detail: `${FAILED[scan.error ?? 'failed']} ${kept}` };
};
