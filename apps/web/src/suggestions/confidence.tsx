import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { formatShare } from '../email/counts.ts';
import classes from './confidence.module.css';
import { BAND_NAMES, toBand } from './suggestion-words.ts';

/** `92%`, or `70–95%` for several emails. */
const toNumber = (least: number, most: number): string => {
  const [from, to] = [formatShare(least), formatShare(most)];
  return from === to ? to : `${from.replace('%', '')}–${to}`;
};

/** How probable it is that the user accepts a suggestion, in a word; the number on demand. @param props.least, props.most - from 0 to 1 */
export const Confidence = ({ least, most }: { least: number; most: number }) => {
  const bands = [...new Set([toBand(most), toBand(least)])];
  return (
    <span
      className={classes.confidence}
      data-band={toBand(least)}
      title={t`${{ share: toNumber(least, most) }} likely that you agree`}
    >
      {bands.map((band) => i18n._(BAND_NAMES[band])).join(' – ')}
    </span>
  );
};
