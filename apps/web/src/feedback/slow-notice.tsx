import classes from './slow-notice.module.css';

/** Comes up by itself when loading takes unusually long; the provider's limits can hold a request up. */
export const SlowNotice = () => (
  <p className={classes.notice}>This takes longer than usual. Still waiting…</p>
);
