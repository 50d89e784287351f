import { plural, t } from '@lingui/core/macro';
import { DEFAULT_PREFERENCES, WATCH_INTERVALS, type Watch } from '@mailsweep/contracts';
import { useQuery } from '@tanstack/react-query';
import {
  useAccountPreferences,
  useUpdatePreferences,
  watchQuery,
} from '../../account-preferences/account-preferences.ts';
import { useApi } from '../../api/api-context.tsx';
import { countEmails } from '../../email/counts.ts';
import { perLocale } from '../../language/current-locale.ts';
import { formatAgo, formatClock, formatShortDate } from '../../time/format-time.tsx';
import { ChoiceRow, SettingsSection, SwitchRow } from '../section/settings-section.tsx';

const MINUTES_PER_HOUR = 60;

const toUnit = (unit: 'minute' | 'hour') =>
  perLocale((locale) => new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short' }));
const minutesFormat = toUnit('minute');
const hoursFormat = toUnit('hour');

/** `15 min`, `3 hr`. */
const formatInterval = (minutes: number): string =>
  minutes % MINUTES_PER_HOUR === 0
    ? hoursFormat().format(minutes / MINUTES_PER_HOUR)
    : minutesFormat().format(minutes);

const describeCounts = ({ since, newEmails, suggested }: NonNullable<Watch['total']>, now: Date): string => {
  const emails = countEmails(newEmails);
  const suggestions = plural(suggested, { one: '# with a suggestion', other: '# with suggestions' });
  const date = formatShortDate(new Date(since), now);
  return t`New since ${date}: ${emails}, ${suggestions}.`;
};

/** The state of the watch, in a sentence or two. */
export const describeWatch = ({ state, nextRunAt, lastRun, total }: Watch, now: Date): string => {
  if (state === 'off') return t`Off. Nothing is read while the app is closed.`;
  if (state === 'reconnect_required') {
    return t`Stopped: the connection to your mailbox must be renewed. Email that has arrived since is checked then.`;
  }
  if (state === 'waiting') {
    const time = nextRunAt ? formatClock(new Date(nextRunAt)) : '';
    return t`The last check did not succeed. The next one is at ${time}; no new email is missed.`;
  }
  if (!lastRun || !total) return t`The first check begins within seconds.`;
  const ago = formatAgo(new Date(lastRun.at), now);
  const counts = describeCounts(total, now);
  return t`Last checked ${ago}. ${counts}`;
};

/** Whether and how often Mailsweep checks for new email. */
export const WatchSettings = () => {
  const preferences = useAccountPreferences();
  const watch = useQuery(watchQuery(useApi().client));
  const update = useUpdatePreferences(t`Your choice was not saved`);
  // Shows defaults while loading, so that nothing moves.
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
