import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accountPreferencesQuery, useUpdatePreferences } from '../account-preferences/account-preferences.ts';
import { useApi } from '../api/api-context.tsx';
import classes from './rules-screen.module.css';

/** Says that no rule runs automatically while the watch is off, and offers to switch it on. */
export const WatchNotice = () => {
  const { client } = useApi();
  const { data: preferences } = useQuery(accountPreferencesQuery(client));
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
