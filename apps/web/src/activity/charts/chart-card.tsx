import type { ReactNode } from 'react';
import shapes from '../../shapes.module.css';
import classes from './chart-card.module.css';

/** A chart with its title. */
export const ChartCard = (props: { title: string; note?: string; children: ReactNode }) => (
  <section className={`${shapes.card} ${classes.card}`}>
    <h2 className={classes.title}>{props.title}</h2>
    {props.note && <p className={classes.note}>{props.note}</p>}
    {props.children}
  </section>
);
