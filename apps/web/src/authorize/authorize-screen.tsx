import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { AuthorizationError } from '@mailsweep/contracts';
import { IconCircleCheck, IconShieldX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { isNotFound } from '../api/error-kinds.ts';
import { EmptyState } from '../feedback/empty-state.tsx';
import { ErrorState } from '../feedback/error-state.tsx';
import { useMe } from '../session/me-query.ts';
import { authorizationQuery } from './authorization-query.ts';
import classes from './authorize-screen.module.css';
import { Consent } from './consent.tsx';

const route = getRouteApi('/authorize');

const describeError = (error: AuthorizationError): { title: string; advice: string } =>
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

const Refused = ({ title, advice }: { title: string; advice: string }) => (
  <div role="alert">
    <EmptyState icon={<IconShieldX />} title={title} isScreen>
      {advice}
    </EmptyState>
  </div>
);

const Request = ({ id }: { id: string }) => {
  const query = useQuery(authorizationQuery(useApi().client, id));
  const me = useMe();
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
  if (!query.data || !me.data) return null;
  return <Consent request={query.data} email={me.data.email} onDecided={() => setDecided(true)} />;
};

/** Asks the user whether a program may act for them. It stands alone: nothing else can be done on this page. */
export const AuthorizeScreen = () => {
  const { request, error } = route.useSearch();
  useEffect(() => {
    document.title = t`Allow a program · Mailsweep`;
  }, []);
  return (
    <main className={classes.page}>
      {request !== undefined && error === undefined ? (
        <Request id={request} />
      ) : (
        <Refused {...describeError(error ?? 'invalid_request')} />
      )}
    </main>
  );
};
