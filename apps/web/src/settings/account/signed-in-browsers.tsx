import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { UserSession } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { toClause } from '../../api/describe-error.ts';
import { isNotFound } from '../../api/error-kinds.ts';
import { formatCount } from '../../email/counts.ts';
import { showToast, toFailure } from '../../feedback/toasts.tsx';
import { refresh } from '../../queries/refresh.ts';
import { useSignOut } from '../../shell/palette/use-sign-out.ts';
import { formatAgo, formatExact } from '../../time/format-time.ts';
import { SettingsRow, SettingsSection } from '../section/settings-section.tsx';
import { auditQuery, sessionsQuery } from './account-queries.ts';
import classes from './signed-in-browsers.module.css';

const useRevokeSession = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id }: UserSession) => {
      try {
        await client.revokeSession({ params: { id } });
      } catch (error) {
        // It has ended in the meantime, which is what was wanted.
        if (!isNotFound(error)) throw error;
      }
    },
    onSuccess: () => refresh(queryClient, sessionsQuery(client).queryKey, auditQuery(client).queryKey),
    onError: (error) =>
      showToast(toFailure(error, (title) => t`The browser is still signed in: ${{ why: toClause(title) }}`)),
  });
};

const Session = ({ session, now }: { session: UserSession; now: Date }) => {
  const signOut = useSignOut();
  const revoke = useRevokeSession();
  const name = session.browser ?? t`Unknown browser`;
  const lastUsed = t`Last used ${formatAgo(new Date(session.lastUsedAt), now)}`;
  const signedIn = t`Signed in on ${formatExact(new Date(session.createdAt))}.`;
  return (
    <SettingsRow
      name={
        <>
          {name}
          {session.current && (
            <span className={classes.current}>
              <Trans>This browser</Trans>
            </span>
          )}
        </>
      }
      note={session.current ? signedIn : `${lastUsed}. ${signedIn}`}
    >
      <Button
        variant="default"
        aria-label={
          session.current
            ? t`Sign out this browser`
            : t`Sign out ${name}, ${{ lastUsed: toClause(lastUsed) }}`
        }
        loading={revoke.isPending}
        onClick={() => (session.current ? signOut('here') : revoke.mutate(session))}
      >
        <Trans>Sign out</Trans>
      </Button>
    </SettingsRow>
  );
};

/** Where the user is signed in, each with the way to end it. */
export const SignedInBrowsers = () => {
  const { client } = useApi();
  const query = useQuery(sessionsQuery(client));
  if (query.isPending) return null;
  const { data: sessions = [], total = 0 } = query.data ?? {};
  const more = total - sessions.length;
  const now = new Date();
  return (
    <SettingsSection title={t`Signed-in browsers`} query={query}>
      {sessions.map((session) => (
        <Session key={session.id} session={session} now={now} />
      ))}
      {more > 0 && (
        <SettingsRow
          name={t`And ${formatCount(more)} more`}
          note={t`Sign out everywhere to end all of them.`}
        />
      )}
    </SettingsSection>
  );
};
