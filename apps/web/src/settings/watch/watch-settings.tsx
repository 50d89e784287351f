import { t } from '@lingui/core/macro';
import { DEFAULT_PREFERENCES, WATCH_INTERVALS } from '@mailsweep/contracts';
import { useQuery } from '@tanstack/react-query';
import {
  useAccountPreferences,
  useUpdatePreferences,
  watchQuery,
} from '../../account-preferences/account-preferences.ts';
import { useApi } from '../../api/api-context.tsx';
import { ChoiceRow, SettingsSection, SwitchRow } from '../section/settings-section.tsx';
import { describeWatch, formatInterval } from './watch-words.ts';

/** Whether and how often Mailsweep looks for new email on its own. */
export const WatchSettings = () => {
  const preferences = useAccountPreferences();
  const watch = useQuery(watchQuery(useApi().client));
  const update = useUpdatePreferences(t`Your choice was not saved`);
  // The defaults show while the choice loads, so that nothing moves.
  const { enabled, everyMinutes } = (preferences.data ?? DEFAULT_PREFERENCES).watch;
  return (
    <SettingsSection title={t`New email`} query={preferences}>
      <SwitchRow
        name={t`Keep watching for new email`}
        note={t`Mailsweep looks for new email every few minutes, also while you are away, and has suggestions ready. It moves and deletes nothing.`}
        isOn={enabled}
        isLoading={!preferences.data}
        onChange={(isOn) => update.mutate({ watch: { enabled: isOn } })}
      />
      <ChoiceRow
        name={t`How often`}
        note={
          <span role="status">
            {watch.data && (watch.data.state !== 'off') !== enabled
              ? t`Saving…`
              : watch.data && describeWatch(watch.data, new Date())}
          </span>
        }
        value={String(everyMinutes)}
        onChange={(chosen) =>
          update.mutate({
            watch: { everyMinutes: WATCH_INTERVALS.find((interval) => String(interval) === chosen) },
          })
        }
        choices={WATCH_INTERVALS.map((interval) => ({
          value: String(interval),
          label: formatInterval(interval),
        }))}
      />
    </SettingsSection>
  );
};
