import { formatShare } from '../email/counts.ts';
import classes from './confidence.module.css';

/** How sure a suggestion is, as a bar and as a number. @param props.least, props.most - from 0 to 1 */
export const Confidence = ({ least, most }: { least: number; most: number }) => {
  const words =
    Math.round(least * 100) === Math.round(most * 100)
      ? formatShare(most)
      : `${formatShare(least).replace('%', '')}–${formatShare(most)}`;
  return (
    <span className={classes.confidence} title={`The classification service is ${words} sure`}>
      <span className={classes.track} aria-hidden="true">
        <span className={classes.bar} style={{ width: `${most * 100}%` }} />
      </span>
      <span className={classes.words}>
        {words} <span className="sr-only">sure</span>
      </span>
    </span>
  );
};
