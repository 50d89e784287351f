import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { ApiClient } from '@mailsweep/client';
import {
  type AuthorizationError,
  type AuthorizationRequest,
  DEFAULT_AUTHORIZATION_DAYS,
  type TokenScope,
  type UnknownClientReason,
} from '@mailsweep/contracts';
import { Button, Group } from '@mantine/core';
import { IconCircleCheck, IconShieldX } from '@tabler/icons-react';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { toAddress } from '../address/shown-mailbox.ts';
import { useApi } from '../api/api-context.tsx';
import { isNotFound, isRecentSignInRequired } from '../api/errors.ts';
import { Select } from '../controls/select.tsx';
import { Verbatim } from '../controls/verbatim.tsx';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { ownMailboxesQuery, toMailboxName, useOwnMailboxes } from '../mailboxes/own-mailboxes.ts';
import { useMe, useSignIn } from '../session/use-mailbox.ts';
import {
  AllMailboxesChoice,
  AskingChoice,
  describeScope,
  describeTokenFailure,
  formatTokenDays,
  TOKEN_DAYS,
  TOKEN_SCOPES,
} from '../settings/tokens/token-words.tsx';
import shapes from '../shapes.module.css';
import classes from './authorize-screen.module.css';

const listScopes = (scope: TokenScope): TokenScope[] =>
  TOKEN_SCOPES.slice(0, TOKEN_SCOPES.indexOf(scope) + 1);

const Facts = ({ request, email }: { request: AuthorizationRequest; email: string }) => {
  const { host } = request.client;
  const { redirectHost } = request;
  const mailboxes = useOwnMailboxes();
  return (
    <dl className={classes.facts}>
      <div>
        <dt>{t`Requested by`}</dt>
        <dd>{host === null ? t`The command line of Mailsweep` : t`A program of ${{ host }}`}</dd>
      </div>
      <div>
        <dt>{t`Returns to`}</dt>
        <dd>
          {redirectHost === null ? t`A program on this computer` : t`On the web, at ${{ redirectHost }}`}
        </dd>
      </div>
      <div>
        <dt>{t`Account`}</dt>
        <dd>
          <ul>
            <li>{email}</li>
            {mailboxes
              .filter(({ current }) => !current)
              .map((mailbox) => (
                <li key={mailbox.number}>
                  <a href={toAddress(`/authorize?request=${request.id}`, mailbox.number)}>
                    {t`Choose ${{ name: toMailboxName(mailbox) }} instead`}
                  </a>
                </li>
              ))}
          </ul>
        </dd>
      </div>
      <div>
        <dt>{t`What it may do`}</dt>
        <dd>
          <ul>
            {listScopes(request.scope).map((scope) => (
              <li key={scope}>{describeScope(scope)}</li>
            ))}
          </ul>
        </dd>
      </div>
    </dl>
  );
};

const Consent = (props: { request: AuthorizationRequest; email: string; onDecided: () => void }) => {
  const { id, client } = props.request;
  const [days, setDays] = useState<number>(DEFAULT_AUTHORIZATION_DAYS);
  // The command line asks at the terminal.
  const [isAsking, setAsking] = useState(client.host !== null);
  const [isForAll, setForAll] = useState(false);
  const decide = useDecide(id, props.onDecided);
  const signIn = useSignIn(undefined, { mailbox: null });
  const needsSignIn = isRecentSignInRequired(decide.error);
  const failure = describeTokenFailure(decide.error, t`Revoke one in the settings first.`);
  const isBusy = decide.isPending || decide.isSuccess;
  const { name } = client;
  return (
    <section className={`${shapes.card} ${classes.card}`}>
      <h1 className={classes.title}>
        <Trans>
          Allow <Verbatim text={name} /> to access your mailbox?
        </Trans>
      </h1>
      <Facts request={props.request} email={props.email} />
      <div className={classes.days}>
        <label htmlFor="authorization-days">
          {props.request.renews ? t`Ends when not used for` : t`Ends after`}
        </label>
        <Select
          id="authorization-days"
          value={days}
          onChange={setDays}
          disabled={isBusy}
          choices={TOKEN_DAYS.map((value) => ({ value: value as number, label: formatTokenDays(value) }))}
        />
      </div>
      <div className={classes.choices}>
        {props.request.scope !== 'read' && <AskingChoice isAsking={isAsking} onChange={setAsking} />}
        <AllMailboxesChoice isForAll={isForAll} onChange={setForAll} />
      </div>
      <p className={classes.caution}>
        <Trans>Allow it only if you have just started it yourself. Its name is not verified.</Trans>
      </p>
      <p className={classes.note}>
        <Trans>You can revoke access at any time, in the settings under “Access tokens”.</Trans>
      </p>
      {decide.error && (
        <p className={classes.failure} role="alert">
          {needsSignIn
            ? t`Nothing is allowed yet: this needs a recent sign-in, so that nobody else can do it in a browser you left open. Sign in again and you are back here.`
            : `${failure.title}. ${failure.advice}`}
        </p>
      )}
      <Group justify="flex-end">
        <Button variant="default" disabled={isBusy} onClick={() => decide.mutate(null)}>
          <Trans>Deny</Trans>
        </Button>
        {needsSignIn ? (
          <Button onClick={signIn}>
            <Trans>Sign in again</Trans>
          </Button>
        ) : (
          <Button
            disabled={isBusy}
            onClick={() =>
              decide.mutate({
                expiresInDays: days,
                requiresConfirmation: isAsking,
                ...(isForAll && { allMailboxes: true }),
              })
            }
          >
            <Trans>Allow</Trans>
          </Button>
        )}
      </Group>
    </section>
  );
};

/** The program's request. It does not change. */
const authorizationQuery = (client: ApiClient, id: string) =>
  queryOptions({
    queryKey: ['authorization', id],
    queryFn: ({ signal }) => client.getAuthorizationRequest({ params: { id }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Grants what a program requests; refuses it without a grant. */
const useDecide = (id: string, onDecided: () => void) => {
  const { client } = useApi();
  return useMutation({
    mutationFn: (grant: Parameters<typeof client.allowAuthorizationRequest>[0]['body'] | null) =>
      grant === null
        ? client.denyAuthorizationRequest({ params: { id } })
        : client.allowAuthorizationRequest({ params: { id }, body: grant }),
    // Fails at once without a network: access must not be given later, when nobody is looking.
    networkMode: 'always',
    // The code is not kept.
    gcTime: 0,
    onSuccess: ({ redirectTo }) => {
      onDecided();
      // Back must not lead to an answered question.
      window.location.replace(redirectTo);
    },
  });
};

const route = getRouteApi('/authorize');

const describeAuthorizationError = (error: AuthorizationError): { title: string; advice: string } =>
  ({
    unknown_client: {
      title: t`This program cannot be identified`,
      advice: t`Its client ID could not be verified, so access was denied. Contact its developer.`,
    },
    unknown_redirect: {
      title: t`Invalid redirect address`,
      advice: t`Its redirect address is not registered for it, so access was denied. If you followed a link, the link may have been changed.`,
    },
    invalid_request: {
      title: t`Invalid request`,
      advice: t`The program sent a request with an error, so access was denied. A newer version of it may help.`,
    },
  })[error];

/** What helps the developer of a program. */
const describeReason = (reason: UnknownClientReason): string =>
  ({
    invalid_id: t`For developers: the client ID has to be the https address of a JSON document, with a path, on port 443.`,
    unreachable: t`For developers: there is no document at the address that is the client ID.`,
    invalid: t`For developers: what is at the address that is the client ID is no JSON document of a public client.`,
    other_id: t`For developers: the document names another client ID.`,
  })[reason];

const Refused = ({ title, advice }: { title: string; advice: string }) => (
  <div role="alert">
    <EmptyState icon={<IconShieldX />} title={title} isScreen>
      {advice}
    </EmptyState>
  </div>
);

const Request = ({ id }: { id: string }) => {
  const { client } = useApi();
  const query = useQuery(authorizationQuery(client, id));
  const me = useMe();
  const { isFetched: isCounted } = useQuery(ownMailboxesQuery(client));
  const [isDecided, setDecided] = useState(false);
  if (isDecided)
    return (
      <div role="status">
        <EmptyState icon={<IconCircleCheck />} title={t`You can go back to the program`} isScreen>
          <Trans>Your answer was sent. You can close this page.</Trans>
        </EmptyState>
      </div>
    );
  const error = query.error ?? me.error;
  if (isNotFound(error))
    return (
      <Refused
        title={t`This request is no longer valid`}
        advice={t`It was answered, is older than ten minutes, or was opened by another user. Start again in the program.`}
      />
    );
  if (error) {
    const retry = () => void Promise.all([query.refetch(), me.refetch()]);
    return <ErrorState error={error} onRetry={retry} isScreen />;
  }
  if (!query.data || !me.data || !isCounted) return null;
  return <Consent request={query.data} email={me.data.email} onDecided={() => setDecided(true)} />;
};

/** Asks whether a program may act for the user. Nothing else can be done on this page. */
export const AuthorizeScreen = () => {
  const { request, error, reason } = route.useSearch();
  const { title, advice } = describeAuthorizationError(error ?? 'invalid_request');
  useEffect(() => {
    document.title = t`Allow a program · Mailsweep`;
  }, []);
  return (
    <main className={classes.page}>
      {request !== undefined && error === undefined ? (
        <Request id={request} />
      ) : (
        <Refused
          title={title}
          advice={error === 'unknown_client' && reason ? `${advice} ${describeReason(reason)}` : advice}
        />
      )}
    </main>
  );
};
