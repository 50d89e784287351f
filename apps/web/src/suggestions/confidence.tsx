import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import classes from './confidence.module.css';
import { BAND_NAMES, toBand } from './suggestion-words.ts';

/** How probable it is that the user accepts a suggestion, as a sentence. @param acceptance - from 0 to 1 */
export const describeAcceptance = (acceptance: number): string =>
  t`You would agree with about ${{ agreed: Math.round(100 * acceptance) }} of 100 like this`;

/** How probable it is that the user accepts suggestions, in a word; the number on demand. @param props.least, props.most - from 0 to 1 */
export const Confidence = ({ least, most }: { least: number; most: number }) => {
  const band = toBand(least);
  const isMixed = band === 'check' && toBand(most) !== band;
  return (
    <span className={classes.confidence} data-band={band} title={describeAcceptance(least)}>
      {isMixed ? t`Check some` : i18n._(BAND_NAMES[band])}
    </span>
  );
};
