import { t } from '@lingui/core/macro';
import {
  DIGEST_INTERVALS,
  type NotificationPreferences,
  type UpdateNotificationPreferences,
} from '@mailsweep/contracts';
import { Switch } from '@mantine/core';
import { Select } from '../../controls/select.tsx';
import shapes from '../../shapes.module.css';
import { formatClock, formatLongWeekday } from '../../time/format-time.ts';
import controls from '../section/settings-controls.module.css';
import { ChoiceRow, SelectRow, SettingsRow } from '../section/settings-section.tsx';
import classes from './notification-choices.module.css';

/** What a part of the notifications shows, and how it changes. */
export interface NotificationChoiceProps {
  notifications: NotificationPreferences;
  isLoading: boolean;
  onChange: (changes: UpdateNotificationPreferences) => void;
}

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
  // A digest that goes to the workflow service alone is not sent here.
  const every = digest.push ? digest.every : 'off';
  const labels = { off: t`Off`, daily: t`Daily`, weekly: t`Weekly` };
  return (
    <>
      <ChoiceRow
        name={t`Digest`}
        note={t`What arrived, what was cleaned and what waits. Nothing is sent when there is nothing to say.`}
        value={every}
        onChange={(chosen) => onChange({ digest: toDigest(chosen, digest.webhook) })}
        choices={DIGEST_INTERVALS.map((value) => ({ value, label: labels[value] }))}
      />
      {digest.every !== 'off' && (digest.push || digest.webhook) && (
        <SettingsRow name={t`Time of the digest`}>
          <div className={controls.controls}>
            {digest.every === 'weekly' && (
              <Select
                aria-label={t`Day of the digest`}
                value={digest.weekday}
                disabled={isLoading}
                onChange={(weekday) => onChange({ digest: { weekday } })}
                choices={WEEKDAYS.map((day) => ({ value: day, label: formatLongWeekday(toDay(day)) }))}
              />
            )}
            <Select
              aria-label={t`Hour of the digest`}
              value={digest.hour}
              disabled={isLoading}
              onChange={(hour) => onChange({ digest: { hour } })}
              choices={HOURS.map((hour) => ({ value: hour, label: formatClock(toTime(hour)) }))}
            />
          </div>
        </SettingsRow>
      )}
    </>
  );
};

/** What is offered first. */
const NIGHT = { from: '22:00', to: '07:00' };

/** When the user wants to be sent nothing. */
export const QuietHoursChoice = (props: NotificationChoiceProps) => {
  const { isLoading, onChange } = props;
  const { quietHours } = props.notifications;
  const change = (changes: Partial<typeof NIGHT>) => {
    const changed = { ...(quietHours ?? NIGHT), ...changes };
    // A field that is being typed in is empty.
    if (changed.from !== '' && changed.to !== '' && changed.from !== changed.to) {
      onChange({ quietHours: changed });
    }
  };
  const ends = [
    { end: 'from', label: t`Quiet from` },
    { end: 'to', label: t`Quiet until` },
  ] as const;
  return (
    <SettingsRow
      name={t`Quiet hours`}
      note={t`Nothing is sent then. What waits comes together when they end.`}
    >
      <div className={controls.controls}>
        {quietHours !== null &&
          ends.map(({ end, label }) => (
            <input
              key={end}
              type="time"
              className={shapes.textField}
              aria-label={label}
              value={quietHours[end]}
              disabled={isLoading}
              onChange={(event) => change({ [end]: event.currentTarget.value })}
            />
          ))}
        <Switch
          size="md"
          checked={quietHours !== null}
          disabled={isLoading}
          onChange={(event) => onChange({ quietHours: event.currentTarget.checked ? NIGHT : null })}
          aria-label={t`Quiet hours`}
        />
      </div>
    </SettingsRow>
  );
};

/** What hours are counted in until the user has chosen any. */
const NO_ZONE = 'UTC';

/** The time zone of this device, by its name in the IANA database. */
export const readDeviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const toZoneLabel = (zone: string): string => zone.replaceAll('_', ' ');

/** The time zone that the digest and the quiet hours follow, on whichever device they were chosen. */
export const TimeZoneChoice = (props: {
  timeZone: string | null;
  isLoading: boolean;
  onChange: (timeZone: string) => void;
}) => {
  const zone = props.timeZone ?? NO_ZONE;
  const device = readDeviceZone();
  // Other clients and browsers may have chosen a name that this browser does not list.
  const zones = new Set([...Intl.supportedValuesOf('timeZone'), NO_ZONE, device, zone]);
  return (
    <SelectRow
      name={t`Time zone`}
      note={
        device === zone
          ? t`The digest and the quiet hours follow it, also when you travel.`
          : t`The digest and the quiet hours follow it. This device is in ${toZoneLabel(device)}.`
      }
      value={zone}
      disabled={props.isLoading}
      onChange={props.onChange}
      choices={[...zones].sort().map((name) => ({ value: name, label: toZoneLabel(name) }))}
    />
  );
};

/** Which notifications also go to the workflow service of the operator. */
export const WebhookChoice = ({ notifications, isLoading, onChange }: NotificationChoiceProps) => {
  const { alert, digest, attention } = notifications;
  const kinds = [
    {
      label: t`Important email`,
      isOn: alert.webhook,
      change: (webhook: boolean) => onChange({ alert: { webhook } }),
    },
    {
      label: t`Digest`,
      isOn: digest.webhook && digest.every !== 'off',
      change: (webhook: boolean) =>
        onChange({
          digest: { webhook, ...(webhook && digest.every === 'off' && { every: 'daily' }) },
        }),
    },
    {
      label: t`When Mailsweep needs you`,
      isOn: attention.webhook,
      change: (webhook: boolean) => onChange({ attention: { webhook } }),
    },
  ];
  return (
    <SettingsRow
      name={t`Also send to the workflow service`}
      note={t`The operator of this server has connected one, such as n8n or Node-RED.`}
    >
      <fieldset className={classes.kinds} aria-label={t`Also send to the workflow service`}>
        {kinds.map(({ label, isOn, change }) => (
          <Switch
            key={label}
            label={label}
            checked={isOn}
            disabled={isLoading}
            onChange={(event) => change(event.currentTarget.checked)}
          />
        ))}
      </fieldset>
    </SettingsRow>
  );
};
