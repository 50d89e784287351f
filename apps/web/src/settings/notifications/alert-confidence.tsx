import { t } from '@lingui/core/macro';
import { formatShare } from '../../email/counts.ts';
import shapes from '../../shapes.module.css';
import { SettingsRow } from '../section/settings-section.tsx';
import type { NotificationChoiceProps } from './notification-choice.ts';

const OFFERED = [0.5, 0.6, 0.7, 0.8, 0.9];

/** How sure the classification service must be of an email to alert the user. */
export const AlertConfidence = ({
  notifications: { alert },
  isLoading,
  onChange,
}: NotificationChoiceProps) => (
  <SettingsRow
    name={t`Least confidence`}
    note={t`How sure the classification service must be that an email is important. Less means more notifications.`}
  >
    <select
      className={shapes.textField}
      aria-label={t`Least confidence`}
      value={alert.minConfidence}
      disabled={isLoading}
      onChange={(event) => onChange({ alert: { minConfidence: Number(event.currentTarget.value) } })}
    >
      {/* Another client may have chosen one of its own. */}
      {[...new Set([...OFFERED, alert.minConfidence])].sort().map((confidence) => (
        <option key={confidence} value={confidence}>
          {formatShare(confidence)}
        </option>
      ))}
    </select>
  </SettingsRow>
);
