import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { HISTORY_RETENTION_DAYS, type UpdatePreferencesRequest } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useAccountPreferences, useUpdatePreferences } from '../account-preferences/account-preferences.ts';
import { Dialog } from '../controls/dialog.tsx';
import { DialogButtons } from '../controls/dialog-buttons.tsx';
import classes from './section/settings-controls.module.css';
import { hasFailed, LoadFailure, SelectRow } from './section/settings-section.tsx';

type Retention = NonNullable<UpdatePreferencesRequest['historyRetentionDays']>;

const YEAR_DAYS = 365;
const FOR_GOOD = 'forGood';

const formatDays = (days: number): string =>
  days % YEAR_DAYS === 0
    ? plural(days / YEAR_DAYS, { one: '# year', other: '# years' })
    : plural(days, { one: '# day', other: '# days' });

/** Says what will be deleted, and asks for confirmation. */
const RetentionDialog = (props: {
  days: Retention | null;
  onClose: () => void;
  onYes: (days: Retention) => void;
}) => {
  // The words stay while the dialog closes.
  const last = useRef(props.days);
  if (props.days !== null) last.current = props.days;
  const days = last.current;
  return (
    <Dialog
      opened={props.days !== null}
      onClose={props.onClose}
      title={t`Delete the older history?`}
      closeLabel={t`Cancel`}
    >
      <p className={classes.text}>
        {t`Within an hour, and from then on: everything in the history that is older than ${{ time: formatDays(days ?? 0) }}. It is deleted for good and can’t be undone any more; your email stays as it is.`}
      </p>
      <p className={classes.text}>
        <Trans>
          Activity and precision no longer count it, and what you rejected before then may be suggested again.
          What your rules did stays for as long as there is the rule.
        </Trans>
      </p>
      <DialogButtons onCancel={props.onClose} hasFocus>
        <Button color="red.8" onClick={() => days !== null && props.onYes(days)}>
          <Trans>Delete older history</Trans>
        </Button>
      </DialogButtons>
    </Dialog>
  );
};

/** For how long the history is kept. A shorter time deletes something, so it is asked about. */
export const HistoryRetention = () => {
  const preferences = useAccountPreferences();
  const update = useUpdatePreferences(t`Your choice was not saved`);
  const [asked, setAsked] = useState<Retention | null>(null);
  if (hasFailed(preferences)) return <LoadFailure query={preferences} />;
  const kept = preferences.data?.historyRetentionDays ?? null;
  const choose = (days: Retention | null) => {
    if (days !== null && (kept === null || days < kept)) setAsked(days);
    else update.mutate({ historyRetentionDays: days });
  };
  return (
    <>
      <SelectRow
        name={t`Keep the history`}
        note={
          kept === null
            ? t`What was done, and what was suggested, so that you can undo it at any time.`
            : t`Records older than this are deleted and can’t be undone any more.`
        }
        value={kept ?? FOR_GOOD}
        disabled={!preferences.data}
        onChange={(chosen) => choose(HISTORY_RETENTION_DAYS.find((days) => days === chosen) ?? null)}
        choices={[
          { label: t`For good`, value: FOR_GOOD },
          ...HISTORY_RETENTION_DAYS.toReversed().map((days) => ({ label: formatDays(days), value: days })),
        ]}
      />
      <RetentionDialog
        days={asked}
        onClose={() => setAsked(null)}
        onYes={(days) => {
          setAsked(null);
          update.mutate({ historyRetentionDays: days });
        }}
      />
    </>
  );
};
