import { t } from '@lingui/core/macro';
import { Switch } from '@mantine/core';
import shapes from '../../shapes.module.css';
import classes from '../section/settings-controls.module.css';
import { SettingsRow } from '../section/settings-section.tsx';
import type { NotificationChoiceProps } from './notification-choice.ts';

/** What is offered first. */
const NIGHT = { from: '22:00', to: '07:00' };

/** When the user wants to be sent nothing. */
export const QuietHoursChoice = ({
  notifications: { quietHours },
  isLoading,
  onChange,
}: NotificationChoiceProps) => {
  const change = (changes: Partial<typeof NIGHT>) => {
    const changed = { ...(quietHours ?? NIGHT), ...changes };
    // A field that is being typed in is empty.
    if (changed.from !== '' && changed.to !== '' && changed.from !== changed.to) {
      onChange({ quietHours: changed });
    }
  };
  return (
    <SettingsRow
      name={t`Quiet hours`}
      note={t`Nothing is sent then. What waits comes together when they end.`}
    >
      <div className={classes.controls}>
        {quietHours !== null && (
          <>
            <input
              type="time"
              className={shapes.textField}
              aria-label={t`Quiet from`}
              value={quietHours.from}
              disabled={isLoading}
              onChange={(event) => change({ from: event.currentTarget.value })}
            />
            <input
              type="time"
              className={shapes.textField}
              aria-label={t`Quiet until`}
              value={quietHours.to}
              disabled={isLoading}
              onChange={(event) => change({ to: event.currentTarget.value })}
            />
          </>
        )}
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
