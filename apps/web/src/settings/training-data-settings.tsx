import { t } from '@lingui/core/macro';
import { DEFAULT_PREFERENCES } from '@mailsweep/contracts';
import { useAccountPreferences, useUpdatePreferences } from '../account-preferences/account-preferences.ts';
import { ChoiceRow, SettingsSection, SwitchRow } from './section/settings-section.tsx';

/** Whether decisions are training data, and which parts of senders and subjects. */
export const TrainingDataSettings = () => {
  const preferences = useAccountPreferences();
  const update = useUpdatePreferences(t`Your choice was not saved`);
  // Shows defaults while loading, so that nothing moves.
  const { enabled, sender, subject } = (preferences.data ?? DEFAULT_PREFERENCES).trainingData;
  return (
    <SettingsSection title={t`Training data`} query={preferences}>
      <SwitchRow
        name={t`Give my decisions as training data`}
        note={t`The operator of this Mailsweep gets what you accept and reject from now on, with date, category, read state and attachment size of each email and its sender and subject as chosen below, to train the service that makes suggestions. Your name and address are not added.`}
        isOn={enabled}
        isLoading={!preferences.data}
        onChange={(isOn) => update.mutate({ trainingData: { enabled: isOn } })}
      />
      <ChoiceRow
        name={t`Senders in training data`}
        note={t`Encoded: the address can’t be read, but emails of one sender still belong together.`}
        value={sender}
        onChange={(chosen) => update.mutate({ trainingData: { sender: chosen } })}
        choices={[
          { value: 'domain', label: t`Domain only` },
          { value: 'hashed', label: t`Encoded` },
          { value: 'kept', label: t`Name and address` },
        ]}
      />
      <ChoiceRow
        name={t`Subjects in training data`}
        note={t`Files that the operator has exported already stay as they are.`}
        value={subject}
        onChange={(chosen) => update.mutate({ trainingData: { subject: chosen } })}
        choices={[
          { value: 'omitted', label: t`Left out` },
          { value: 'hashed', label: t`Encoded` },
          { value: 'kept', label: t`Whole subject` },
        ]}
      />
    </SettingsSection>
  );
};
