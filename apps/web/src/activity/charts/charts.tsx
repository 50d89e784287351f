import type { ReactNode } from 'react';
import { formatCount } from '../../email/counts.ts';
import { Skeleton } from '../../feedback/skeleton.tsx';
import shapes from '../../shapes.module.css';
import classes from './charts.module.css';

export const ChartCard = (props: { title: string; note?: string; children: ReactNode }) => (
  <section className={`${shapes.card} ${classes.card}`}>
    <h2 className={classes.title}>{props.title}</h2>
    {props.note && <p className={classes.note}>{props.note}</p>}
    {props.children}
  </section>
);

export interface Bar {
  name: string;
  count: number;
  /** Shown in place of the count. */
  label?: string;
  /** A colour of `styles/tokens.css`: the name after `--bar-`. */
  color: 'archive' | 'delete' | 'label' | 'notify' | 'neutral';
}

/** Unit: pixels; the same number is in charts.module.css. */
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
 * A bar chart that is a table for screen readers.
 *
 * @param props.bars - undefined while loading
 * @param props.mostBars - reserves height, so that nothing below moves
 * @param props.longestBar - the count of a full bar; by default the highest count
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
