import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SettingsRow, SettingsSection } from './section/settings-section.tsx';

/** Leads to the rules. */
export const RulesLink = () => (
  <SettingsSection title={t`Rules`}>
    <SettingsRow
      name={t`Automatic cleaning`}
      note={t`Archive, delete, label or mark email as read once it is old enough. Off until you create a rule.`}
    >
      <Button variant="default" renderRoot={(props) => <Link {...props} to="/rules" />}>
        {t`Manage rules`}
      </Button>
    </SettingsRow>
  </SettingsSection>
);
