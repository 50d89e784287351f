import type { ReactNode } from 'react';
import shapes from '../../shapes.module.css';
import classes from './settings-section.module.css';

/** One subject of the settings: its name above a card of rows. */
export const SettingsSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section>
    <h2 className={classes.title}>{title}</h2>
    <div className={`${shapes.card} ${classes.card}`}>{children}</div>
  </section>
);

/** One setting: what it is, and at its side what can be done about it. */
export const SettingsRow = (props: { name: ReactNode; note?: ReactNode; children?: ReactNode }) => (
  <div className={classes.row}>
    <div className={classes.words}>
      <div className={classes.name}>{props.name}</div>
      {props.note && <div className={classes.note}>{props.note}</div>}
    </div>
    {props.children}
  </div>
);
