import { formatCount } from '../mail/counts.ts';
import classes from './bar-list.module.css';

/** One bar: how many of a kind. */
export interface Bar {
  name: string;
  count: number;
  /** Which colour of `styles/tokens.css`, by the name after `--bar-`. */
  color: 'archive' | 'delete' | 'label' | 'notify' | 'neutral';
}

/** Horizontal bars with their numbers: a chart to the eye, a table to a screen reader. */
export const BarList = ({ title, bars, empty }: { title: string; bars: readonly Bar[]; empty: string }) => {
  const most = Math.max(1, ...bars.map((bar) => bar.count));
  if (bars.length === 0) return <p className={classes.empty}>{empty}</p>;
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
            <td className={classes.count}>{formatCount(bar.count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
