import { t } from '@lingui/core/macro';
import { DEFAULT_NOTIFICATIONS } from '@mailsweep/contracts';
import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  accountPreferencesQuery,
  useUpdatePreferences,
} from '../../account-preferences/account-preferences.ts';
import { useApi } from '../../api/api-context.tsx';
import { SegmentedChoice } from '../../controls/segmented-choice.tsx';
import { LoadFailure } from '../section/load-failure.tsx';
import { SettingsRow, SettingsSection } from '../section/settings-section.tsx';
import { AlertConfidence } from './alert-confidence.tsx';
import { DeviceNotifications } from './device-notifications.tsx';
import { DigestChoice } from './digest-choice.tsx';
import type { NotificationChoiceProps } from './notification-choice.ts';
import { QuietHoursChoice } from './quiet-hours-choice.tsx';
import { readDeviceZone, TimeZoneChoice } from './time-zone-choice.tsx';
import { WebhookChoice } from './webhook-choice.tsx';

const Kind = (props: {
  name: string;
  note: string;
  isOn: boolean;
  isLoading: boolean;
  onChange: (isOn: boolean) => void;
}) => (
  <SettingsRow name={props.name} note={props.note}>
    <Switch
      size="md"
      checked={props.isOn}
      disabled={props.isLoading}
      onChange={(event) => props.onChange(event.currentTarget.checked)}
      aria-label={props.name}
    />
  </SettingsRow>
);

const Alerts = ({ isWatched, ...props }: NotificationChoiceProps & { isWatched: boolean }) => (
  <Kind
    name={t`Important email`}
    note={
      props.notifications.alert.push && !isWatched
        ? t`Switch on “Keep watching for new email” above: without it, Mailsweep does not see what arrives.`
        : t`New email that is worth knowing of at once: security alerts, bills, travel.`
    }
    isOn={props.notifications.alert.push}
    isLoading={props.isLoading}
    onChange={(push) => props.onChange({ alert: { push } })}
  />
);

const Attention = (props: NotificationChoiceProps) => (
  <Kind
    name={t`When Mailsweep needs you`}
    note={t`When the connection to your mailbox has ended, for example. You are told once.`}
    isOn={props.notifications.attention.push}
    isLoading={props.isLoading}
    onChange={(push) => props.onChange({ attention: { push } })}
  />
);

const Content = ({ notifications, onChange }: NotificationChoiceProps) => (
  <SettingsRow
    name={t`What a notification shows`}
    note={t`It may show on a locked screen. What an email says is never part of it.`}
  >
    <SegmentedChoice
      name={t`What a notification shows`}
      value={notifications.content}
      onChange={(content) => onChange({ content })}
      choices={[
        { value: 'full', label: t`Sender and subject` },
        { value: 'none', label: t`No content` },
      ]}
    />
  </SettingsRow>
);

/** What Mailsweep tells the user while the app is closed, when, and on which device. Everything is off at first. */
export const NotificationSettings = () => {
  const { client } = useApi();
  const preferences = useQuery(accountPreferencesQuery(client));
  const update = useUpdatePreferences(t`Your choice was not saved`);
  if (preferences.error && !preferences.data) {
    return (
      <SettingsSection title={t`Notifications`}>
        <LoadFailure error={preferences.error} onRetry={() => void preferences.refetch()} />
      </SettingsSection>
    );
  }
  const props: NotificationChoiceProps = {
    notifications: preferences.data?.notifications ?? DEFAULT_NOTIFICATIONS,
    isLoading: !preferences.data,
    onChange: (notifications) => update.mutate({ notifications }),
  };
  const timeZone = preferences.data?.timeZone ?? null;
  /** The first hours that the user chooses are those of this device. */
  const timed: NotificationChoiceProps = {
    ...props,
    onChange: (notifications) =>
      update.mutate({ notifications, ...(timeZone === null && { timeZone: readDeviceZone() }) }),
  };
  const { alert, digest, attention, quietHours } = props.notifications;
  const hasDigest = digest.every !== 'off' && (digest.push || digest.webhook);
  return (
    <SettingsSection title={t`Notifications`}>
      <DeviceNotifications isWanted={alert.push || digest.push || attention.push} />
      <Alerts {...props} isWatched={preferences.data?.watch.enabled ?? true} />
      {(alert.push || alert.webhook) && <AlertConfidence {...props} />}
      <DigestChoice {...timed} />
      <Attention {...props} />
      <QuietHoursChoice {...timed} />
      {(hasDigest || quietHours !== null) && (
        <TimeZoneChoice
          timeZone={timeZone}
          isLoading={props.isLoading}
          onChange={(chosen) => update.mutate({ timeZone: chosen })}
        />
      )}
      {preferences.data?.webhookAvailable && <WebhookChoice {...timed} />}
      <Content {...props} />
    </SettingsSection>
  );
};
