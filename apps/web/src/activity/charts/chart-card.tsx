import type { ReactNode } from 'react';
import classes from './chart-card.module.css';

/** A chart with its title. */
export const ChartCard = (props: { title: string; note?: string; children: ReactNode }) => (
  <section className={classes.card}>
    <h2 className={classes.title}>{props.title}</h2>
    {props.note && <p className={classes.note}>{props.note}</p>}
    {props.children}
  </section>
);
