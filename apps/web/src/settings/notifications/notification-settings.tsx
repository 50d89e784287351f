import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import {
  DEFAULT_NOTIFICATIONS,
  DIGEST_INTERVALS,
  type NotificationPreferences,
  type UpdateNotificationPreferences,
} from '@mailsweep/contracts';
import { Button, Switch } from '@mantine/core';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  useAccountPreferences,
  useUpdatePreferences,
} from '../../account-preferences/account-preferences.ts';
import { useApi } from '../../api/api-context.tsx';
import { Select } from '../../controls/select.tsx';
import { formatShare } from '../../email/counts.ts';
import { showToast, toFailure } from '../../feedback/toasts.tsx';
import { type PushState, readDevicePush, switchPushOff, switchPushOn } from '../../push/device-push.ts';
import shapes from '../../shapes.module.css';
import { formatClock, formatLongWeekday } from '../../time/format-time.tsx';
import classes from '../section/settings-controls.module.css';
import {
  ChoiceRow,
  hasFailed,
  LoadFailure,
  SelectRow,
  SettingsRow,
  SettingsSection,
  SwitchRow,
} from '../section/settings-section.tsx';
import own from './notification-settings.module.css';

interface NotificationChoiceProps {
  notifications: NotificationPreferences;
  isLoading: boolean;
  onChange: (changes: UpdateNotificationPreferences) => void;
}

type DigestInterval = (typeof DIGEST_INTERVALS)[number];

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];

/** That time on any day. */
const toTime = (hour: number): Date => new Date(2026, 0, 1, hour);
/** A day of that name; 1 is Monday. */
const toDay = (weekday: number): Date => new Date(2026, 0, 4 + weekday);

/** Stops the digest to this device, not that to the workflow service. */
const toDigest = (every: DigestInterval, webhook: boolean) =>
  every === 'off' && webhook ? { push: false } : { every, push: every !== 'off' };

const DigestChoice = ({ notifications: { digest }, isLoading, onChange }: NotificationChoiceProps) => {
  // A digest for the workflow service alone is not sent here.
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
          <div className={classes.controls}>
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

/** The first offer. */
const NIGHT = { from: '22:00', to: '07:00' };

const QuietHoursChoice = (props: NotificationChoiceProps) => {
  const { isLoading, onChange } = props;
  const { quietHours } = props.notifications;
  const change = (changes: Partial<typeof NIGHT>) => {
    const changed = { ...(quietHours ?? NIGHT), ...changes };
    // A field is empty while the user types.
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
      <div className={classes.controls}>
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

/** Until the user has chosen hours. */
const NO_ZONE = 'UTC';

/** This device's time zone (IANA). */
const readDeviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const toZoneLabel = (zone: string): string => zone.replaceAll('_', ' ');

/** The time zone of the digest and quiet hours, chosen on any device. */
const TimeZoneChoice = (props: {
  timeZone: string | null;
  isLoading: boolean;
  onChange: (timeZone: string) => void;
}) => {
  const zone = props.timeZone ?? NO_ZONE;
  const device = readDeviceZone();
  // Other clients and browsers may use names that this browser does not list.
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

const WebhookChoice = ({ notifications, isLoading, onChange }: NotificationChoiceProps) => {
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
      <fieldset className={own.kinds} aria-label={t`Also send to the workflow service`}>
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

const NOTES: Record<PushState, MessageDescriptor> = {
  unsupported: msg`This browser shows no notifications of a closed app. Another one may.`,
  not_installed: msg`Install Mailsweep first: tap “Share” and then “Add to Home Screen”, and open it from there.`,
  unavailable: msg`Notifications are not set up on this server. Its operator can change that.`,
  denied: msg`You have blocked notifications of this site. Allow them in the settings of your browser, then come back.`,
  off: msg`Off. Your browser asks for permission when you switch it on.`,
  on: msg`On. Choose below what you want to be told.`,
};

/** Do not let users wait for notifications that no device shows. */
const OFF_BUT_WANTED = msg`Off: this device does not show what you choose below. Your browser asks for permission when you switch it on.`;

const pushQuery = (client: ApiClient) =>
  queryOptions({ queryKey: ['push'], queryFn: ({ signal }) => readDevicePush(client, signal) });

/**
 * Notifications on this device; the browser asks for permission when they are switched on.
 *
 * @param props.isWanted - whether the user chose any notification
 */
const DeviceNotifications = ({ isWanted }: { isWanted: boolean }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const query = useQuery(pushQuery(client));
  const fail = (title: string) => (error: Error) => showToast({ ...toFailure(error), title });
  const change = useMutation({
    mutationFn: async (isOn: boolean) => {
      const key = query.data?.key;
      if (!isOn) await switchPushOff(client);
      else if (key) await switchPushOn(client, key);
    },
    // A concurrent read would show a half-done change.
    onMutate: () => queryClient.cancelQueries({ queryKey: pushQuery(client).queryKey }),
    onError: fail(t`Notifications on this device were not changed`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: pushQuery(client).queryKey }),
  });
  const test = useMutation({
    mutationFn: () => client.sendTestNotification({}),
    onSuccess: () => showToast({ title: t`A test is on its way`, tone: 'done' }),
    onError: fail(t`The test was not sent`),
  });
  if (hasFailed(query)) return <LoadFailure query={query} />;
  const state = query.data?.state;
  const note = state === 'off' && isWanted ? OFF_BUT_WANTED : state && NOTES[state];
  const isOn = change.isPending ? change.variables : state === 'on';
  return (
    <SettingsRow
      name={t`On this device`}
      note={<span role="status">{note ? i18n._(note) : t`Looking…`}</span>}
    >
      <div className={classes.controls}>
        {state === 'on' && (
          <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
            {t`Send a test`}
          </Button>
        )}
        <Switch
          size="md"
          checked={isOn}
          disabled={(state !== 'on' && state !== 'off') || change.isPending}
          onChange={(event) => change.mutate(event.currentTarget.checked)}
          aria-label={t`Notifications on this device`}
        />
      </div>
    </SettingsRow>
  );
};

const CONFIDENCES = [0.5, 0.6, 0.7, 0.8, 0.9];

/** What Mailsweep notifies about while the app is closed, when, and where. All off by default. */
export const NotificationSettings = () => {
  const preferences = useAccountPreferences();
  const update = useUpdatePreferences(t`Your choice was not saved`);
  const notifications = preferences.data?.notifications ?? DEFAULT_NOTIFICATIONS;
  const isLoading = !preferences.data;
  const isWatched = preferences.data?.watch.enabled ?? true;
  const timeZone = preferences.data?.timeZone ?? null;
  const change: NotificationChoiceProps['onChange'] = (changes) => update.mutate({ notifications: changes });
  /** The first chosen hours use this device's zone. */
  const timed: NotificationChoiceProps = {
    notifications,
    isLoading,
    onChange: (changes) =>
      update.mutate({ notifications: changes, ...(timeZone === null && { timeZone: readDeviceZone() }) }),
  };
  const { alert, digest, attention, quietHours, content } = notifications;
  const hasDigest = digest.every !== 'off' && (digest.push || digest.webhook);
  return (
    <SettingsSection title={t`Notifications`} query={preferences}>
      <DeviceNotifications isWanted={alert.push || digest.push || attention.push} />
      <SwitchRow
        name={t`Important email`}
        note={
          alert.push && !isWatched
            ? t`Switch on “Keep watching for new email” above: without it, Mailsweep does not see what arrives.`
            : t`New email that is worth knowing of at once: security alerts, bills, travel.`
        }
        isOn={alert.push}
        isLoading={isLoading}
        onChange={(push) => change({ alert: { push } })}
      />
      {(alert.push || alert.webhook) && (
        <SelectRow
          name={t`Least confidence`}
          note={t`How sure the classification service must be that an email is important. Less means more notifications.`}
          value={alert.minConfidence}
          disabled={isLoading}
          onChange={(minConfidence) => change({ alert: { minConfidence } })}
          // Another client may have chosen another value.
          choices={[...new Set([...CONFIDENCES, alert.minConfidence])]
            .sort()
            .map((confidence) => ({ value: confidence, label: formatShare(confidence) }))}
        />
      )}
      <DigestChoice {...timed} />
      <SwitchRow
        name={t`When Mailsweep needs you`}
        note={t`When the connection to your mailbox has ended, for example. You are told once.`}
        isOn={attention.push}
        isLoading={isLoading}
        onChange={(push) => change({ attention: { push } })}
      />
      <QuietHoursChoice {...timed} />
      {(hasDigest || quietHours !== null) && (
        <TimeZoneChoice
          timeZone={timeZone}
          isLoading={isLoading}
          onChange={(chosen) => update.mutate({ timeZone: chosen })}
        />
      )}
      {preferences.data?.webhookAvailable && <WebhookChoice {...timed} />}
      <ChoiceRow
        name={t`What a notification shows`}
        note={t`It may show on a locked screen. What an email says is never part of it.`}
        value={content}
        onChange={(chosen) => change({ content: chosen })}
        choices={[
          { value: 'full', label: t`Sender and subject` },
          { value: 'none', label: t`No content` },
        ]}
      />
    </SettingsSection>
  );
};
