import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { isSuggestedAction, type SuggestedAction } from '@mailsweep/contracts';
import { IconBulb, IconEye, IconTag, type Icon as IconType } from '@tabler/icons-react';
import { formatCount } from '../email/counts.ts';
import { EMAIL_ACTIONS } from '../email/email-actions.ts';
import classes from './action-badge.module.css';
import { BAND_NAMES, toActionName, toBand } from './suggestion-words.ts';

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
