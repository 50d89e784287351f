import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

/** Says that there is nothing here, why, and what to do next. */
export const EmptyState = (props: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) => (
  <div className={classes.empty}>
    <span className={classes.icon} aria-hidden="true">
      {props.icon}
    </span>
    <h2 className={classes.title}>{props.title}</h2>
    <p className={classes.text}>{props.children}</p>
    {props.actions && <div className={classes.actions}>{props.actions}</div>}
  </div>
);
