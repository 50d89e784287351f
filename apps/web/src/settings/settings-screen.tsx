import type { Me } from '@mailsweep/contracts';
import { Button, Switch, useMantineColorScheme } from '@mantine/core';
import { IconLogout, IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { SegmentedChoice } from '../controls/segmented-choice.tsx';
import { toInitials } from '../email/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { savePreferences, usePreferences } from '../preferences/preferences.ts';
import { useMe } from '../session/me-query.ts';
import { useSignIn } from '../session/use-sign-in.ts';
import { ScreenHeader } from '../shell/screen-header.tsx';
import { useSignOut } from '../shell/use-sign-out.ts';
import { formatExact } from '../time/format-time.ts';
import { AccountActivity } from './account-activity.tsx';
import { sessionsQuery } from './account-queries.ts';
import classes from './settings-screen.module.css';
import { SettingsRow, SettingsSection } from './settings-section.tsx';
import { SignedInBrowsers } from './signed-in-browsers.tsx';
import { StoredData } from './stored-data.tsx';

const Account = ({ me }: { me: Me }) => {
  const signOut = useSignOut();
  return (
    <div className={classes.account}>
      <span className={classes.sign} aria-hidden="true">
        {toInitials(me.name ?? me.email)}
      </span>
      <div className={classes.who}>
        <div className={classes.name}>{me.name ?? me.email}</div>
        <div className={classes.note}>{me.email}</div>
      </div>
      <Button
        variant="default"
        leftSection={<IconLogout size={16} aria-hidden="true" />}
        onClick={() => signOut('here')}
      >
        Sign out
      </Button>
    </div>
  );
};

const Sessions = ({ me }: { me: Me }) => {
  const signOut = useSignOut();
  return (
    <SettingsRow name="This session" note={`Ends on ${formatExact(new Date(me.sessionExpiresAt))}.`}>
      <Button variant="default" onClick={() => signOut('everywhere')}>
        Sign out everywhere
      </Button>
    </SettingsRow>
  );
};

const Connection = ({ me }: { me: Me }) => {
  const signIn = useSignIn();
  const isActive = me.connection === 'active';
  const Icon = isActive ? IconPlugConnected : IconPlugConnectedX;
  return (
    <SettingsRow
      name="Gmail"
      note={
        isActive
          ? 'Mailsweep may list email and change labels. It never deletes for good and never sends.'
          : 'Google no longer accepts the permission you gave. Renew it to go on; nothing was lost.'
      }
    >
      <div className={classes.state}>
        <span className={classes.connection} data-active={isActive || undefined}>
          <Icon size={17} aria-hidden="true" />
          {isActive ? 'Connected' : 'Must be renewed'}
        </span>
        {!isActive && <Button onClick={signIn}>Renew</Button>}
      </div>
    </SettingsRow>
  );
};

const Appearance = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SettingsRow name="Theme" note="System follows your device.">
      <SegmentedChoice
        name="Theme"
        value={colorScheme}
        onChange={setColorScheme}
        choices={[
          { value: 'auto', label: 'System' },
          { value: 'light', label: 'Light' },
          { value: 'dark', label: 'Dark' },
        ]}
      />
    </SettingsRow>
  );
};

const Keyboard = () => {
  const { singleKeyShortcuts } = usePreferences();
  return (
    <SettingsRow
      name="Single-key shortcuts"
      note={
        <>
          Letters such as <kbd>E</kbd> act at once. Switch off if you dictate. <kbd>?</kbd> shows them all.
        </>
      }
    >
      <Switch
        size="md"
        checked={singleKeyShortcuts}
        onChange={(event) => savePreferences({ singleKeyShortcuts: event.currentTarget.checked })}
        aria-label="Single-key shortcuts"
      />
    </SettingsRow>
  );
};

/** Comes last and in order, so that nothing that shows already moves when a response arrives. */
const AccountSecurity = () => {
  const { client } = useApi();
  const { isPending } = useQuery(sessionsQuery(client));
  return (
    <>
      <SignedInBrowsers />
      {!isPending && <AccountActivity />}
    </>
  );
};

/** Account, connection, look, keys, data, sessions and what happened to the account. */
export const SettingsScreen = () => {
  const { data: me, error, refetch } = useMe();
  if (error && !me) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.screen}>
      <ScreenHeader title="Settings" />
      <div className={classes.sections}>
        <SettingsSection title="Account">
          {me ? <Account me={me} /> : <Skeleton height={48} />}
          {me && <Sessions me={me} />}
        </SettingsSection>
        <SettingsSection title="Mailbox connection">
          {me ? <Connection me={me} /> : <Skeleton height={48} />}
        </SettingsSection>
        <SettingsSection title="Look">
          <Appearance />
        </SettingsSection>
        <SettingsSection title="Keyboard">
          <Keyboard />
        </SettingsSection>
        {me && (
          <SettingsSection title="Your data">
            <StoredData me={me} />
          </SettingsSection>
        )}
        {me && <AccountSecurity />}
      </div>
    </div>
  );
};
