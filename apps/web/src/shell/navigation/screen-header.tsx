import type { ReactNode } from 'react';
import shapes from '../../shapes.module.css';
import classes from './screen-header.module.css';

/** A screen's title, with a note and room for actions. */
export const ScreenHeader = (props: { title: string; note?: ReactNode; children?: ReactNode }) => (
  <header className={classes.header}>
    <h1 className={classes.title}>{props.title}</h1>
    {props.note !== undefined && <span className={`${shapes.oneLine} ${classes.note}`}>{props.note}</span>}
    {props.children && <div className={classes.actions}>{props.children}</div>}
  </header>
);
