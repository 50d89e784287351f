import { t } from '@lingui/core/macro';
import { DIGEST_INTERVALS } from '@mailsweep/contracts';
import { SegmentedChoice } from '../../controls/segmented-choice.tsx';
import shapes from '../../shapes.module.css';
import { formatClock, formatLongWeekday } from '../../time/format-time.ts';
import classes from '../section/settings-controls.module.css';
import { SettingsRow } from '../section/settings-section.tsx';
import type { NotificationChoiceProps } from './notification-choice.ts';

type DigestInterval = (typeof DIGEST_INTERVALS)[number];

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** The time of day, on any day. */
const toTime = (hour: number): Date => new Date(2026, 0, 1, hour);
/** A day with this name; 1 is Monday. */
const toDay = (weekday: number): Date => new Date(2026, 0, 4 + weekday);

/** The digest to this device is off; the one to the workflow service goes on. */
const toDigest = (every: DigestInterval, webhook: boolean) =>
  every === 'off' && webhook ? { push: false } : { every, push: every !== 'off' };

/** Whether and when the user gets a digest. */
export const DigestChoice = ({ notifications: { digest }, isLoading, onChange }: NotificationChoiceProps) => {
  const { hour, weekday } = digest;
  // A digest that goes to the workflow service alone is not sent here.
  const every = digest.push ? digest.every : 'off';
  const labels = { off: t`Off`, daily: t`Daily`, weekly: t`Weekly` };
  return (
    <>
      <SettingsRow
        name={t`Digest`}
        note={t`What arrived, what was cleaned and what waits. Nothing is sent when there is nothing to say.`}
      >
        <SegmentedChoice
          name={t`Digest`}
          value={every}
          onChange={(chosen) => onChange({ digest: toDigest(chosen, digest.webhook) })}
          choices={DIGEST_INTERVALS.map((value) => ({ value, label: labels[value] }))}
        />
      </SettingsRow>
      {digest.every !== 'off' && (digest.push || digest.webhook) && (
        <SettingsRow name={t`Time of the digest`}>
          <div className={classes.controls}>
            {digest.every === 'weekly' && (
              <select
                className={shapes.textField}
                aria-label={t`Day of the digest`}
                value={weekday}
                disabled={isLoading}
                onChange={(event) => onChange({ digest: { weekday: Number(event.currentTarget.value) } })}
              >
                {WEEKDAYS.map((day) => (
                  <option key={day} value={day}>
                    {formatLongWeekday(toDay(day))}
                  </option>
                ))}
              </select>
            )}
            <select
              className={shapes.textField}
              aria-label={t`Hour of the digest`}
              value={hour}
              disabled={isLoading}
              onChange={(event) => onChange({ digest: { hour: Number(event.currentTarget.value) } })}
            >
              {HOURS.map((option) => (
                <option key={option} value={option}>
                  {formatClock(toTime(option))}
                </option>
              ))}
            </select>
          </div>
        </SettingsRow>
      )}
    </>
  );
};
