import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  findLabelNameError,
  findLabelNamesError,
  HISTORY_RETENTION_DAYS,
  MAX_LABEL_NAME_LENGTH,
  mergeLabelNames,
  type LabelNames as Names,
  type UpdatePreferencesRequest,
} from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { useAccountPreferences, useUpdatePreferences } from '../account-preferences/account-preferences.ts';
import { Dialog, DialogButtons } from '../controls/dialog.tsx';
import shapes from '../shapes.module.css';
import { describeReason, toLabelName } from '../suggestions/suggestion-words.tsx';
import classes from './section/settings-controls.module.css';
import {
  hasFailed,
  LoadFailure,
  SelectRow,
  SettingsRow,
  SettingsSection,
} from './section/settings-section.tsx';

/** Classifications with suggested labels. */
const LABELLED = ['receipt', 'large_attachment'];

/** Why a name is invalid, if it is. */
const findError = (classification: string, name: string, names: Names): string | undefined => {
  if (name !== '' && findLabelNameError(name) !== undefined)
    return t`This name is not possible: your mail provider or Mailsweep uses it, or a part of it is empty.`;
  return findLabelNamesError(mergeLabelNames(names, { [classification]: name || null }))
    ? t`Another label has this name already.`
    : undefined;
};

/** Stores the name when the user leaves the field. */
const LabelName = (props: {
  classification: string;
  names: Names;
  isLoading: boolean;
  onChange: (name: string | null) => void;
}) => {
  const { classification, names } = props;
  const stored = names[classification] ?? '';
  const [typed, setTyped] = useState(stored);
  const [error, setError] = useState<string>();
  const errorId = useId();
  useEffect(() => setTyped(stored), [stored]);
  const { name: kind } = describeReason(classification);
  const store = () => {
    const name = typed.trim();
    const found = findError(classification, name, names);
    setError(found);
    if (found === undefined && name !== stored) props.onChange(name || null);
  };
  return (
    <SettingsRow name={kind}>
      <div className={classes.wide}>
        <input
          type="text"
          className={shapes.textField}
          maxLength={MAX_LABEL_NAME_LENGTH}
          aria-label={t`Label for ${{ kind }}`}
          aria-invalid={error !== undefined}
          aria-describedby={error && errorId}
          placeholder={toLabelName(classification)}
          value={typed}
          disabled={props.isLoading}
          autoComplete="off"
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            setError(undefined);
          }}
          onBlur={store}
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.currentTarget.blur();
          }}
        />
        <p id={errorId} className={classes.error} role="status">
          {error}
        </p>
      </div>
    </SettingsRow>
  );
};

/** Names of the labels that accepted suggestions add. */
export const LabelNames = () => {
  const preferences = useAccountPreferences();
  const update = useUpdatePreferences(t`The name was not saved`);
  const names = preferences.data?.labelNames ?? {};
  return (
    <SettingsSection title={t`Labels`} query={preferences}>
      <SettingsRow
        name={t`What labels are called`}
        note={t`A slash puts one label below another. Labels that are in your mailbox already are not renamed; leave a name empty for the one in grey.`}
      />
      {[...new Set([...LABELLED, ...Object.keys(names)])].map((classification) => (
        <LabelName
          key={classification}
          classification={classification}
          names={names}
          isLoading={!preferences.data}
          onChange={(name) => update.mutate({ labelNames: { [classification]: name } })}
        />
      ))}
    </SettingsSection>
  );
};

type Retention = NonNullable<UpdatePreferencesRequest['historyRetentionDays']>;

const YEAR_DAYS = 365;
const FOR_GOOD = 'forGood';

const formatDays = (days: number): string =>
  days % YEAR_DAYS === 0
    ? plural(days / YEAR_DAYS, { one: '# year', other: '# years' })
    : plural(days, { one: '# day', other: '# days' });

/** Says what will be deleted. */
const RetentionDialog = (props: { days: Retention; onClose: () => void; onYes: () => void }) => (
  <Dialog onClose={props.onClose} title={t`Delete the older history?`}>
    <p className={classes.text}>
      {t`Within an hour, and from then on: everything in the history that is older than ${{ time: formatDays(props.days) }}. It is deleted for good and can’t be undone any more; your email stays as it is.`}
    </p>
    <p className={classes.text}>
      <Trans>
        Activity and precision no longer count it, and what you rejected before then may be suggested again.
        What your rules did stays for as long as there is the rule.
      </Trans>
    </p>
    <DialogButtons onCancel={props.onClose} hasFocus>
      <Button color="red.8" onClick={props.onYes}>
        <Trans>Delete older history</Trans>
      </Button>
    </DialogButtons>
  </Dialog>
);

/** How long to keep the history. Asks before a shorter time deletes something. */
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
      {asked !== null && (
        <RetentionDialog
          days={asked}
          onClose={() => setAsked(null)}
          onYes={() => {
            setAsked(null);
            update.mutate({ historyRetentionDays: asked });
          }}
        />
      )}
    </>
  );
};
