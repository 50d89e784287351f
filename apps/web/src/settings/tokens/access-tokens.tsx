import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { PersonalToken } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { lazyPart } from '../../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../../lazy-parts/part-boundary.tsx';
import { formatAgo, formatExact } from '../../time/format-time.tsx';
import controls from '../section/settings-controls.module.css';
import { SettingsRow, SettingsSection } from '../section/settings-section.tsx';
import { RecentSignInDialog, useOpenDialog } from '../stored-data/open-dialog.ts';
import { toScopeName } from './token-words.tsx';
import { tokensQuery } from './tokens-query.ts';

const CreateTokenDialog = lazyPart(async () => (await import('./token-dialogs.tsx')).CreateTokenDialog);
const RenameTokenDialog = lazyPart(async () => (await import('./token-dialogs.tsx')).RenameTokenDialog);
const RevokeTokenDialog = lazyPart(async () => (await import('./token-dialogs.tsx')).RevokeTokenDialog);

type OpenDialog = { kind: 'create' | 'signIn' } | { kind: 'rename' | 'revoke'; token: PersonalToken };

/** The program that the user allowed, if it is not their own token. */
const describeProgram = (clientId: string | null): string => {
  if (clientId === null) return '';
  if (!URL.canParse(clientId)) return t`Allowed for the command line.`;
  return t`Allowed for a program of ${{ host: new URL(clientId).host }}.`;
};

const describeToken = (token: PersonalToken, now: Date): string => {
  const { scope, requiresConfirmation, createdAt, expiresAt, lastUsedAt, renews } = token;
  const end = new Date(expiresAt);
  const time = formatExact(end);
  return [
    describeProgram(token.clientId),
    `${toScopeName(scope)}.`,
    token.allMailboxes && t`All mailboxes.`,
    requiresConfirmation && t`Asks you before it changes anything.`,
    end <= now
      ? t`Ended on ${{ time }}.`
      : renews
        ? t`Ends on ${{ time }} unless it is used.`
        : t`Ends on ${{ time }}.`,
    lastUsedAt === null
      ? t`Never used.`
      : t`Last used ${{ ago: formatAgo(new Date(lastUsedAt), now) }}.`.replace('..', '.'),
    t`Made on ${{ made: formatExact(new Date(createdAt)) }}.`,
  ]
    .filter(Boolean)
    .join(' ');
};

const Token = (props: { token: PersonalToken; now: Date; onOpen: (dialog: OpenDialog) => void }) => {
  const { token, now, onOpen } = props;
  const { name } = token;
  return (
    <SettingsRow name={<bdi>{name}</bdi>} note={describeToken(token, now)}>
      <div className={controls.controls}>
        <Button
          variant="default"
          aria-label={t`Rename the token ${name}`}
          onClick={() => onOpen({ kind: 'rename', token })}
        >
          <Trans>Rename</Trans>
        </Button>
        <Button
          variant="default"
          aria-label={t`Revoke the token ${name}`}
          onClick={() => onOpen({ kind: 'revoke', token })}
        >
          <Trans>Revoke</Trans>
        </Button>
      </div>
    </SettingsRow>
  );
};

/** The user's tokens, with ways to create and revoke them. */
export const AccessTokens = () => {
  const query = useQuery(tokensQuery(useApi().client));
  const { dialog, open, close } = useOpenDialog<OpenDialog>((action) =>
    action === 'token' ? { kind: 'create' } : null,
  );
  if (query.isPending) return null;
  const tokens = query.data?.data ?? [];
  const now = new Date();
  return (
    <>
      <SettingsSection title={t`Access tokens`} query={query}>
        <SettingsRow
          name={tokens.length === 0 ? t`There are no access tokens` : t`For programs that work for you`}
          note={t`With a token, a script or an assistant reaches Mailsweep without your browser. Give it no more than it needs.`}
        >
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => open({ kind: 'create' })}
          >
            <Trans>New token</Trans>
          </Button>
        </SettingsRow>
        {tokens.map((token) => (
          <Token key={token.id} token={token} now={now} onOpen={open} />
        ))}
      </SettingsSection>
      <PartBoundary>
        {dialog?.kind === 'create' && (
          <CreateTokenDialog onClose={close} onSignInNeeded={() => open({ kind: 'signIn' })} />
        )}
        {dialog?.kind === 'signIn' && <RecentSignInDialog action="token" onClose={close} />}
        {dialog?.kind === 'rename' && <RenameTokenDialog token={dialog.token} onClose={close} />}
        {dialog?.kind === 'revoke' && <RevokeTokenDialog token={dialog.token} onClose={close} />}
      </PartBoundary>
    </>
  );
};
