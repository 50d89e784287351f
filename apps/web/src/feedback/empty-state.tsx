import type { ReactNode } from 'react';
import classes from './empty-state.module.css';

export const EmptyState = (props: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
  /** Whether it replaces a whole screen and titles it. */
  isScreen?: boolean;
}) => {
  const Title = props.isScreen ? 'h1' : 'h2';
  return (
    <div className={classes.empty}>
      <span className={classes.icon} aria-hidden="true">
        {props.icon}
      </span>
      <Title className={classes.title}>{props.title}</Title>
      <p className={classes.text}>{props.children}</p>
      {props.actions && <div className={classes.actions}>{props.actions}</div>}
    </div>
  );
};
