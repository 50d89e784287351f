import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { SettingsRow, SettingsSection } from './settings-section.tsx';

/** Leads to the rules. */
export const RulesLink = () => (
  <SettingsSection title={t`Rules`}>
    <SettingsRow
      name={t`What Mailsweep does by itself`}
      note={t`Archive, delete, label or mark email of a sender or a kind once it is old enough. Off until you make a rule.`}
    >
      <Button variant="default" renderRoot={(props) => <Link {...props} to="/rules" />}>
        {t`Open the rules`}
      </Button>
    </SettingsRow>
  </SettingsSection>
);
