import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Me } from '@mailsweep/contracts';
import { Button, useMantineColorScheme } from '@mantine/core';
import { IconLogout, IconPlugConnected, IconPlugConnectedX } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { version } from '../../package.json';
import { useApi } from '../api/api-context.tsx';
import { savePreferences, usePreferences } from '../device-preferences/preferences.ts';
import { toInitials } from '../email/sender/sender.ts';
import { ErrorState } from '../feedback/error-state.tsx';
import { Skeleton } from '../feedback/skeleton.tsx';
import { LANGUAGE_NAMES } from '../language/choose-language.ts';
import { useMe, useProviderName, useSignIn } from '../session/use-mailbox.ts';
import { askForAccess } from '../session/wanted-access.ts';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { useSignOut } from '../shell/palette/use-sign-out.ts';
import { formatExact } from '../time/format-time.tsx';
import { AccountActivity, SignedInBrowsers, sessionsQuery } from './account/account-security.tsx';
import { HistoryRetention, LabelNames } from './kept-history-and-labels.tsx';
import { OwnMailboxes } from './mailboxes/own-mailboxes.tsx';
import { NotificationSettings } from './notifications/notification-settings.tsx';
import { OutgoingCallsList } from './outgoing-calls.tsx';
import { ProtectedSenders } from './protected-senders.tsx';
import { ChoiceRow, SettingsRow, SettingsSection, SwitchRow } from './section/settings-section.tsx';
import classes from './settings-screen.module.css';
import { StoredData } from './stored-data/stored-data.tsx';
import { AccessTokens } from './tokens/access-tokens.tsx';
import { tokensQuery } from './tokens/tokens-query.ts';
import { TrainingDataSettings } from './training-data-settings.tsx';
import { WatchSettings } from './watch/watch-settings.tsx';

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
        <Trans>Sign out</Trans>
      </Button>
    </div>
  );
};

const Sessions = ({ me }: { me: Me }) => {
  const signOut = useSignOut();
  return (
    <SettingsRow
      name={t`This session`}
      note={t`Ends on ${formatExact(new Date(me.sessionExpiresAt))}, unless you use it until then.`}
    >
      <Button variant="default" onClick={() => signOut('everywhere')}>
        <Trans>Sign out everywhere</Trans>
      </Button>
    </SettingsRow>
  );
};

const Connection = ({ me }: { me: Me }) => {
  const signIn = useSignIn();
  const name = useProviderName();
  const queryClient = useQueryClient();
  const { mailbox } = me;
  const isActive = me.connection === 'active';
  const onlyLooks = isActive && mailbox?.canChange === false;
  const Icon = isActive ? IconPlugConnected : IconPlugConnectedX;
  return (
    <SettingsRow
      name={mailbox?.name ?? name}
      note={
        onlyLooks
          ? t`Mailsweep may only look. It can’t change anything.`
          : isActive
            ? t`Mailsweep may list email and change labels. It never deletes for good and never sends.`
            : t`${{ name }} no longer accepts the permission you gave. Renew it to go on; nothing was lost.`
      }
    >
      <div className={classes.state}>
        <span className={classes.connection} data-active={isActive || undefined}>
          <Icon size={17} aria-hidden="true" />
          {isActive ? t`Connected` : t`Must be renewed`}
        </span>
        {!isActive && (
          <Button onClick={signIn}>
            <Trans>Renew</Trans>
          </Button>
        )}
        {onlyLooks && (
          <Button variant="default" onClick={() => askForAccess(queryClient)}>
            <Trans>Allow changes</Trans>
          </Button>
        )}
      </div>
    </SettingsRow>
  );
};

const Appearance = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <ChoiceRow
      name={t`Theme`}
      note={t`System follows your device.`}
      value={colorScheme}
      onChange={setColorScheme}
      choices={[
        { value: 'auto', label: t`System` },
        { value: 'light', label: t`Light` },
        { value: 'dark', label: t`Dark` },
      ]}
    />
  );
};

const LanguageChoice = () => {
  const { language } = usePreferences();
  return (
    <ChoiceRow
      name={t`Language`}
      note={t`System follows your browser.`}
      value={language}
      onChange={(chosen) => savePreferences({ language: chosen })}
      choices={[
        { value: 'system', label: t`System` },
        { value: 'en', label: LANGUAGE_NAMES.en },
        { value: 'de', label: LANGUAGE_NAMES.de },
      ]}
    />
  );
};

const Keyboard = () => {
  const { singleKeyShortcuts } = usePreferences();
  return (
    <SwitchRow
      name={t`Single-key shortcuts`}
      note={
        <Trans>
          Letters such as <kbd>E</kbd> act at once. Switch off if you dictate. <kbd>?</kbd> shows them all.
        </Trans>
      }
      isOn={singleKeyShortcuts}
      onChange={(isOn) => savePreferences({ singleKeyShortcuts: isOn })}
    />
  );
};

/** Last and in order, so that responses move nothing. */
const AccountSecurity = () => {
  const { client } = useApi();
  const sessions = useQuery(sessionsQuery(client));
  const tokens = useQuery(tokensQuery(client));
  return (
    <>
      <SignedInBrowsers />
      {!sessions.isPending && <AccessTokens />}
      {!sessions.isPending && !tokens.isPending && <OutgoingCallsList />}
      {!sessions.isPending && !tokens.isPending && <AccountActivity />}
    </>
  );
};

export const SettingsScreen = () => {
  const { data: me, error, refetch } = useMe();
  if (error && !me) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div className={classes.screen}>
      <ScreenHeader title={t`Settings`} />
      <div className={classes.sections}>
        <SettingsSection title={t`Account`}>
          {me ? <Account me={me} /> : <Skeleton height={48} />}
          {me && <Sessions me={me} />}
        </SettingsSection>
        <SettingsSection title={t`Mailbox connection`}>
          {me ? <Connection me={me} /> : <Skeleton height={48} />}
        </SettingsSection>
        <OwnMailboxes />
        <WatchSettings />
        <NotificationSettings />
        <LabelNames />
        <SettingsSection title={t({ message: 'Look', context: 'appearance' })}>
          <Appearance />
          <LanguageChoice />
        </SettingsSection>
        <SettingsSection title={t`Keyboard`}>
          <Keyboard />
        </SettingsSection>
        <ProtectedSenders />
        <TrainingDataSettings />
        {me && (
          <SettingsSection title={t`Your data`}>
            <HistoryRetention />
            <StoredData me={me} />
          </SettingsSection>
        )}
        {me && <AccountSecurity />}
        <p className={classes.version}>
          <Trans>Version {version}</Trans>
        </p>
      </div>
    </div>
  );
};
