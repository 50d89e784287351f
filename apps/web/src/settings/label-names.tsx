import { t } from '@lingui/core/macro';
import {
  findLabelNameError,
  findLabelNamesError,
  MAX_LABEL_NAME_LENGTH,
  mergeLabelNames,
  type LabelNames as Names,
} from '@mailsweep/contracts';
import { useEffect, useId, useState } from 'react';
import { useAccountPreferences, useUpdatePreferences } from '../account-preferences/account-preferences.ts';
import shapes from '../shapes.module.css';
import { describeReason, toLabelName } from '../suggestions/suggestion-words.ts';
import classes from './section/settings-controls.module.css';
import { SettingsRow, SettingsSection } from './section/settings-section.tsx';

/** What our own classification service suggests labels for. */
const LABELLED = ['receipt', 'large_attachment'];

/** Why a name can't be given; undefined where it can. */
const findError = (classification: string, name: string, names: Names): string | undefined => {
  if (name !== '' && findLabelNameError(name) !== undefined)
    return t`This name is not possible: your mail provider or Mailsweep uses it, or a part of it is empty.`;
  return findLabelNamesError(mergeLabelNames(names, { [classification]: name || null }))
    ? t`Another label has this name already.`
    : undefined;
};

/** The name of one label, stored when the user leaves the field. */
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

/** What the labels are called that accepted suggestions add. */
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
