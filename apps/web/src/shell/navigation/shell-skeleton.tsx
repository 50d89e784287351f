import { t } from '@lingui/core/macro';
import { SlowNotice } from '../../feedback/slow-notice.tsx';
import { Brand } from './brand.tsx';
import classes from './shell-skeleton.module.css';

/** The empty frame while it is not known yet who is signed in. */
export const ShellSkeleton = () => (
  <div className={classes.frame} role="status" aria-label={t`Loading Mailsweep`}>
    <div className={classes.sidebar}>
      <Brand />
    </div>
    <div className={classes.surface} />
    <SlowNotice />
  </div>
);
