import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import { SettingsRow } from '../section/settings-section.tsx';
import type { NotificationChoiceProps } from './notification-choice.ts';
import classes from './webhook-choice.module.css';

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
