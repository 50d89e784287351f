import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ApiClient } from '@mailsweep/client';
import { type AuditEntry, MAX_PER_PAGE, type UserSession } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import {
  type QueryKey,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { toClause, unlessGone } from '../../api/errors.ts';
import { pagedQuery } from '../../api/paged-list.ts';
import { refresh } from '../../api/query-keys.ts';
import { LoadMoreButton } from '../../controls/load-buttons.tsx';
import { formatCount } from '../../email/counts.ts';
import { showToast, toFailure } from '../../feedback/toasts.tsx';
import shapes from '../../shapes.module.css';
import { useSignOut } from '../../shell/palette/use-sign-out.ts';
import { formatAgo, formatExact } from '../../time/format-time.tsx';
import { SettingsRow, SettingsSection } from '../section/settings-section.tsx';
import classes from './account-security.module.css';
import { describeAuditEntry } from './audit-words.ts';

const ENTRIES_PER_PAGE = 10;

/** The user's sessions, this one first. */
export const sessionsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => client.listSessions({ query: { perPage: MAX_PER_PAGE }, signal }),
  });

/** The audit trail, newest first. */
export const auditQuery = (client: ApiClient) =>
  pagedQuery(['audit'], (page, signal) => client.listAuditEntries({ query: page, signal }), {
    perPage: ENTRIES_PER_PAGE,
  });

/** Refreshes what was changed, and the audit trail, which tells of it. */
export const useRefreshAudited = () => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  return (changed: QueryKey) => refresh(queryClient, changed, auditQuery(client).queryKey);
};

const useRevokeSession = () => {
  const { client } = useApi();
  const refreshAudited = useRefreshAudited();
  return useMutation({
    mutationFn: ({ id }: UserSession) => unlessGone(client.revokeSession({ params: { id } })),
    onSuccess: () => refreshAudited(sessionsQuery(client).queryKey),
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

/** The user's sessions, each with a way to end it. */
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

/** Only the network of an IPv6 address is stored: `network 2001:db8:1:2`. */
const describeAddress = (address: string): string => {
  const [network, rest] = address.split('::/64');
  if (rest === undefined) return address;
  return network ? t`network ${network}` : '';
};

const Entry = ({ entry }: { entry: AuditEntry }) => (
  <li className={classes.entry}>
    <span className={classes.words}>
      <span className={classes.event}>{describeAuditEntry(entry)}</span>
      <span className={classes.client}>
        {[entry.browser ?? t`Unknown browser`, entry.address && describeAddress(entry.address)]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
    <time className={classes.time} dateTime={entry.at}>
      {formatExact(new Date(entry.at))}
    </time>
  </li>
);

export const AccountActivity = () => {
  const { client } = useApi();
  const query = useInfiniteQuery(auditQuery(client));
  if (query.isPending) return null;
  return (
    <SettingsSection title={t`Account activity`} query={query}>
      <ol className={shapes.plainList} aria-label={t`Account activity`}>
        {query.data?.pages
          .flatMap((page) => page.data)
          .map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
      </ol>
      <LoadMoreButton query={query} className={classes.more}>
        <Trans>Show earlier activity</Trans>
      </LoadMoreButton>
    </SettingsSection>
  );
};
