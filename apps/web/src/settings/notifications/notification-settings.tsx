import { t } from '@lingui/core/macro';
import { DEFAULT_NOTIFICATIONS } from '@mailsweep/contracts';
import {
  useAccountPreferences,
  useUpdatePreferences,
} from '../../account-preferences/account-preferences.ts';
import { formatShare } from '../../email/counts.ts';
import { ChoiceRow, SelectRow, SettingsSection, SwitchRow } from '../section/settings-section.tsx';
import { DeviceNotifications } from './device-notifications.tsx';
import {
  DigestChoice,
  type NotificationChoiceProps,
  QuietHoursChoice,
  readDeviceZone,
  TimeZoneChoice,
  WebhookChoice,
} from './notification-choices.tsx';

const CONFIDENCES = [0.5, 0.6, 0.7, 0.8, 0.9];

/** What Mailsweep tells the user while the app is closed, when, and on which device. Everything is off at first. */
export const NotificationSettings = () => {
  const preferences = useAccountPreferences();
  const update = useUpdatePreferences(t`Your choice was not saved`);
  const notifications = preferences.data?.notifications ?? DEFAULT_NOTIFICATIONS;
  const isLoading = !preferences.data;
  const isWatched = preferences.data?.watch.enabled ?? true;
  const timeZone = preferences.data?.timeZone ?? null;
  const change: NotificationChoiceProps['onChange'] = (changes) => update.mutate({ notifications: changes });
  /** The first hours that the user chooses are those of this device. */
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
          // Another client may have chosen one of its own.
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
