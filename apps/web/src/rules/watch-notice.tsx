import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useAccountPreferences, useUpdatePreferences } from '../account-preferences/account-preferences.ts';
import classes from './rules-screen.module.css';

/** Offers the watch, without which no rule runs. */
export const WatchNotice = () => {
  const { data: preferences } = useAccountPreferences();
  const update = useUpdatePreferences(t`Your choice was not saved`);
  if (preferences === undefined || preferences.watch.enabled) return null;
  return (
    <div className={classes.notice}>
      <p className={classes.note}>
        {t`Rules run only while Mailsweep keeps watching for new email, which is off.`}
      </p>
      <Button size="compact-md" onClick={() => update.mutate({ watch: { enabled: true } })}>
        {t`Keep watching for new email`}
      </Button>
    </div>
  );
};
