import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { isProblem } from '@mailsweep/client';
import {
  type AuthorizationRequest,
  DEFAULT_AUTHORIZATION_DAYS,
  MAX_TOKENS,
  type TokenScope,
} from '@mailsweep/contracts';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { describeError } from '../api/describe-error.ts';
import { isRecentSignInRequired } from '../api/error-kinds.ts';
import { Select } from '../controls/select.tsx';
import { useSignIn } from '../session/use-sign-in.ts';
import { AskingChoice } from '../settings/tokens/asking-choice.tsx';
import { describeScope, formatTokenDays, TOKEN_DAYS, TOKEN_SCOPES } from '../settings/tokens/token-words.ts';
import shapes from '../shapes.module.css';
import { useDecide } from './authorization-query.ts';
import classes from './authorize-screen.module.css';

const listScopes = (scope: TokenScope): TokenScope[] =>
  TOKEN_SCOPES.slice(0, TOKEN_SCOPES.indexOf(scope) + 1);

const Facts = ({ request, email }: { request: AuthorizationRequest; email: string }) => {
  const { host } = request.client;
  const { redirectHost } = request;
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
        <dd>{email}</dd>
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

const describeFailure = (error: Error): string => {
  const { title, advice } = isProblem(error, 'too_many_tokens')
    ? {
        title: plural(MAX_TOKENS, {
          one: 'You have # access token, which is the most',
          other: 'You have # access tokens, which is the most',
        }),
        advice: t`Revoke one in the settings first.`,
      }
    : describeError(error);
  return `${title}. ${advice}`;
};

/** The question whether a program may act for the user, with all that there is to know about it. */
export const Consent = (props: { request: AuthorizationRequest; email: string; onDecided: () => void }) => {
  const { id, client } = props.request;
  const [days, setDays] = useState<number>(DEFAULT_AUTHORIZATION_DAYS);
  // The command line asks at the terminal.
  const [isAsking, setAsking] = useState(client.host !== null);
  const decide = useDecide(id, props.onDecided);
  const signIn = useSignIn();
  const needsSignIn = isRecentSignInRequired(decide.error);
  const isBusy = decide.isPending || decide.isSuccess;
  const { name } = client;
  return (
    <section className={`${shapes.card} ${classes.card}`}>
      <h1 className={classes.title}>
        <Trans>
          Allow <bdi>{name}</bdi> to access your mailbox?
        </Trans>
      </h1>
      <Facts request={props.request} email={props.email} />
      <div className={classes.days}>
        <label htmlFor="authorization-days">{t`Ends after`}</label>
        <Select
          id="authorization-days"
          value={days}
          onChange={setDays}
          disabled={isBusy}
          choices={TOKEN_DAYS.map((value) => ({ value: value as number, label: formatTokenDays(value) }))}
        />
      </div>
      {props.request.scope !== 'read' && <AskingChoice isAsking={isAsking} onChange={setAsking} />}
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
            : describeFailure(decide.error)}
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
            onClick={() => decide.mutate({ expiresInDays: days, requiresConfirmation: isAsking })}
          >
            <Trans>Allow</Trans>
          </Button>
        )}
      </Group>
    </section>
  );
};
