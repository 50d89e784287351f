import { t } from '@lingui/core/macro';
import shapes from '../../shapes.module.css';
import { SettingsRow } from '../section/settings-section.tsx';

/** What hours are counted in until the user has chosen any. */
const NO_ZONE = 'UTC';

/** The time zone of this device, by its name in the IANA database. */
export const readDeviceZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

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
    <SettingsRow
      name={t`Time zone`}
      note={
        device === zone
          ? t`The digest and the quiet hours follow it, also when you travel.`
          : t`The digest and the quiet hours follow it. This device is in ${toLabel(device)}.`
      }
    >
      <select
        className={shapes.textField}
        aria-label={t`Time zone`}
        value={zone}
        disabled={props.isLoading}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        {[...zones].sort().map((name) => (
          <option key={name} value={name}>
            {toLabel(name)}
          </option>
        ))}
      </select>
    </SettingsRow>
  );
};

const toLabel = (zone: string): string => zone.replaceAll('_', ' ');
