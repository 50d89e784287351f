import { formatCount } from '../../email/counts.ts';
import { Skeleton } from '../../feedback/skeleton.tsx';
import classes from './bar-list.module.css';

/** One bar: how many of a kind, or another number that its length shows. */
export interface Bar {
  name: string;
  count: number;
  /** Shown in place of the count. */
  label?: string;
  /** Which colour of `styles/tokens.css`, by the name after `--bar-`. */
  color: 'archive' | 'delete' | 'label' | 'notify' | 'neutral';
}

/** Of one bar. Unit: pixels; the same number is in bar-list.module.css. */
const BAR_HEIGHT = 32;

const Bars = (props: { title: string; bars: readonly Bar[]; longestBar: number | undefined }) => {
  const { title, bars } = props;
  const most = props.longestBar ?? Math.max(1, ...bars.map((bar) => bar.count));
  return (
    <table className={classes.bars}>
      <caption className="sr-only">{title}</caption>
      <tbody>
        {bars.map((bar) => (
          <tr key={bar.name}>
            <th scope="row" className={classes.name}>
              {bar.name}
            </th>
            <td className={classes.track}>
              <span
                className={classes.bar}
                style={{ width: `${(bar.count / most) * 100}%`, background: `var(--bar-${bar.color})` }}
              />
            </td>
            <td className={classes.count}>{bar.label ?? formatCount(bar.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/**
 * Horizontal bars with their numbers: a chart to the eye, a table to a screen reader.
 *
 * @param props.bars - undefined while they are not known
 * @param props.mostBars - how many there can be: their place is kept, so that what is below stays where it is
 * @param props.longestBar - the count of a bar of full length; the highest count when left out
 */
export const BarList = (props: {
  title: string;
  bars: readonly Bar[] | undefined;
  mostBars: number;
  longestBar?: number;
  empty: string;
}) => {
  const { title, bars, empty } = props;
  const height = props.mostBars * BAR_HEIGHT;
  if (!bars) return <Skeleton height={height} />;
  return (
    <div className={classes.place} style={{ minHeight: height }}>
      {bars.length > 0 ? (
        <Bars title={title} bars={bars} longestBar={props.longestBar} />
      ) : (
        <p className={classes.empty}>{empty}</p>
      )}
    </div>
  );
};
