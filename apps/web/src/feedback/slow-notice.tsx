import { Trans } from '@lingui/react/macro';
import classes from './slow-notice.module.css';

/** Comes up by itself when loading takes unusually long; the provider's limits can hold a request up. */
export const SlowNotice = () => (
  <p className={classes.notice}>
    <Trans>This takes longer than usual. Still waiting…</Trans>
  </p>
);
