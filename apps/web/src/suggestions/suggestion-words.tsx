import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import {
  ACCEPTANCE_BANDS,
  isSuggestedAction,
  LABEL_PREFIX,
  type LabelNames,
  type SuggestedAction,
} from '@mailsweep/contracts';
import { IconBulb, IconEye, IconTag, type Icon as IconType } from '@tabler/icons-react';
import { countEmails, formatCount } from '../email/counts.ts';
import { EMAIL_ACTIONS } from '../email/email-actions.ts';
import classes from './action-badge.module.css';

interface ReasonWords {
  name: string;
  /** A sentence about the emails. */
  why: string;
}

/** Classifications of our own service; others may have more. */
const KNOWN_REASONS: Record<string, Record<keyof ReasonWords, MessageDescriptor>> = {
  bulk: { name: msg`Bulk email`, why: msg`Sent to many people at once, such as a newsletter.` },
  stale_unread: { name: msg`Unread for long`, why: msg`It has been waiting unread for months.` },
  promotions_old: { name: msg`Old promotions`, why: msg`The offer is most likely over.` },
  large_attachment: { name: msg`Large attachments`, why: msg`It takes up a lot of room.` },
  receipt: { name: msg`Receipts`, why: msg`A receipt or an invoice, worth finding again.` },
  recurring_notification: {
    name: msg`Routine notices`,
    why: msg`An automatic notice that comes again and again.`,
  },
  travel_alert: { name: msg`Travel`, why: msg`It is about a trip of yours.` },
  security_alert: { name: msg`Security`, why: msg`It is about the safety of an account.` },
  payment_due: { name: msg`Payments due`, why: msg`Something has to be paid.` },
  action_needed: { name: msg`Action needed`, why: msg`Something has to be done soon.` },
};

/** A classification in words; an unknown one in readable letters. */
export const describeReason = (classification: string): ReasonWords => {
  const known = KNOWN_REASONS[classification];
  if (known) return { name: i18n._(known.name), why: i18n._(known.why) };
  const name = classification.replace(/[_-]+/g, ' ').trim();
  return {
    name: name.charAt(0).toUpperCase() + name.slice(1),
    why: t`The classification service calls it “${name}”.`,
  };
};

export const toLabelName = (classification: string): string => LABEL_PREFIX + classification;

/** The display name of a label: `Large attachments` for one of ours, the user's own name unchanged. */
export const describeLabel = (name: string): string =>
  name.startsWith(LABEL_PREFIX) ? describeReason(name.slice(LABEL_PREFIX.length)).name : name;

const ACTION_NAMES: Record<SuggestedAction, MessageDescriptor> = {
  archive: msg`Archive`,
  delete: msg`Trash`,
  label: msg`Label`,
  notify: msg`Keep`,
};

const toWords = (name: string): string => name.replace(/[_-]+/g, ' ').trim().toLowerCase();

/** The short name of an action; an unknown one as its service wrote it. */
export const toActionName = (action: string): string =>
  isSuggestedAction(action) ? i18n._(ACTION_NAMES[action]) : t`Advice: ${{ action: toWords(action) }}`;

/** What accepting advice does: `Advice: review. Nothing is changed in your mailbox.` */
export const describeAdvice = (action: string): string =>
  t`${{ advice: toActionName(action) }}. Nothing is changed in your mailbox.`;

/**
 * Exactly what accepting does.
 *
 * @param labels - classifications of the emails to label
 * @param ownNames - names of labels that the user chose
 */
export const describeConsequence = (
  action: string,
  count: number,
  labels: readonly string[] = [],
  ownNames: LabelNames = {},
): string => {
  const label = labels
    .map((one) => (Object.hasOwn(ownNames, one) ? ownNames[one] : describeReason(one).name))
    .join(', ');
  switch (action) {
    case 'archive':
      return plural(count, {
        one: '# email leaves the inbox and can still be found in All mail.',
        other: '# emails leave the inbox and can still be found in All mail.',
      });
    case 'delete':
      return plural(count, { one: '# email moves to Trash.', other: '# emails move to Trash.' });
    case 'label':
      return labels.length > 0
        ? plural(count, {
            one: `# email gets the label ${{ label }}.`,
            other: `# emails get the label ${{ label }}.`,
          })
        : plural(count, { one: '# email gets a label.', other: '# emails get a label.' });
    case 'mark_read':
      return plural(count, {
        one: '# email is marked read and stays where it is.',
        other: '# emails are marked read and stay where they are.',
      });
    case 'notify':
      return plural(count, {
        one: '# email stays where it is: worth your attention.',
        other: '# emails stay where they are: worth your attention.',
      });
    default:
      return t`${{ advice: toActionName(action) }}, for ${{ emails: countEmails(count) }}. Nothing is changed in your mailbox.`;
  }
};

type Band = 'sure' | 'likely' | 'check';

export const BAND_NAMES: Record<Band, MessageDescriptor> = {
  sure: msg`Safe to clean`,
  likely: msg`Probably`,
  check: msg`Please check`,
};

/** @param acceptance - from 0 to 1 */
export const toBand = (acceptance: number): Band => {
  if (acceptance >= ACCEPTANCE_BANDS.sure) return 'sure';
  return acceptance >= ACCEPTANCE_BANDS.likely ? 'likely' : 'check';
};

const ICONS: Record<SuggestedAction, IconType> = {
  archive: EMAIL_ACTIONS.archive.icon,
  delete: EMAIL_ACTIONS.delete.icon,
  label: IconTag,
  notify: IconEye,
};

export const toActionIcon = (action: string): IconType =>
  isSuggestedAction(action) ? ICONS[action] : IconBulb;

/** A suggested action, with a number of emails. */
export const ActionBadge = ({ action, count }: { action: string; count?: number }) => {
  const Icon = toActionIcon(action);
  return (
    <span className={classes.badge} data-action={isSuggestedAction(action) ? action : 'advice'}>
      <Icon size={14} stroke={1.9} aria-hidden="true" />
      {toActionName(action)}
      {count !== undefined && <span className={classes.count}>{formatCount(count)}</span>}
    </span>
  );
};

/** @param acceptance - from 0 to 1 */
export const describeAcceptance = (acceptance: number): string =>
  t`You would agree with about ${{ agreed: Math.round(100 * acceptance) }} of 100 like this`;

/** The probability of acceptance in a word, and in numbers on hover. @param props.least, props.most - from 0 to 1 */
export const Confidence = ({ least, most }: { least: number; most: number }) => {
  const band = toBand(least);
  const isMixed = band === 'check' && toBand(most) !== band;
  return (
    <span className={classes.confidence} data-band={band} title={describeAcceptance(least)}>
      {isMixed ? t`Check some` : i18n._(BAND_NAMES[band])}
    </span>
  );
};
