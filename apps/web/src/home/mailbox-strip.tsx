import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { MAX_PER_PAGE, type OwnMailbox } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { queryOptions, useQueries, useQuery } from '@tanstack/react-query';
import { toAddress } from '../address/shown-mailbox.ts';
import { type Api, useApi } from '../api/api-context.tsx';
import { createAppClient } from '../api/app-client.ts';
import { MAILBOX_KEY } from '../api/query-keys.ts';
import { formatCount } from '../email/counts.ts';
import { ownMailboxesQuery, toMailboxName } from '../mailboxes/own-mailboxes.ts';
import { useSignIn } from '../session/use-mailbox.ts';
import shapes from '../shapes.module.css';
import classes from './mailbox-strip.module.css';

/** The numbers of another mailbox cost its provider's quota. Unit: milliseconds. */
const STALE_MS = 60_000;

interface Numbers {
  inbox: number;
  /** Emails that can be cleaned. */
  clearable: number;
}

const numbersQuery = ({ client, origin }: Api, { number, connection, current }: OwnMailbox) =>
  queryOptions({
    // Changes outdate the numbers of the shown mailbox alone.
    queryKey: [...(current ? MAILBOX_KEY : []), 'numbers', number],
    queryFn: async ({ signal }) => {
      const its = current ? client : createAppClient({ apiOrigin: origin, mailbox: number });
      const query = { by: 'classification', perPage: MAX_PER_PAGE } as const;
      const [{ inbox }, { actionsByDegree }] = await Promise.all([
        its.getMailboxOverview({ signal }),
        its.listSuggestionGroups({ query, signal }),
      ]);
      const { sure, likely } = actionsByDegree;
      const parts = [sure.archive, sure.delete, likely.archive, likely.delete];
      return { inbox: inbox.total, clearable: parts.reduce<number>((sum, part = 0) => sum + part, 0) };
    },
    enabled: connection === 'active',
    staleTime: STALE_MS,
  });

const describe = ({ inbox, clearable }: Numbers): string =>
  t`${{ inbox: formatCount(inbox) }} in the inbox · ${{ clearable: formatCount(clearable) }} can go`;

const Renewal = ({ mailbox }: { mailbox: OwnMailbox }) => {
  const signIn = useSignIn(undefined, { mailbox: mailbox.number });
  return (
    <Button size="compact-sm" aria-label={t`Renew ${{ name: toMailboxName(mailbox) }}`} onClick={signIn}>
      <Trans>Renew</Trans>
    </Button>
  );
};

/** The mailboxes of the user side by side, with all of them first. */
export const MailboxStrip = () => {
  const api = useApi();
  const { data: mailboxes = [] } = useQuery({ ...ownMailboxesQuery(api.client), enabled: false });
  const numbers = useQueries({ queries: mailboxes.map((mailbox) => numbersQuery(api, mailbox)) });
  if (mailboxes.length < 2) return null;
  const known = numbers.flatMap(({ data }) => data ?? []);
  const all = {
    inbox: known.reduce((sum, { inbox }) => sum + inbox, 0),
    clearable: known.reduce((sum, { clearable }) => sum + clearable, 0),
  };
  return (
    <ul className={`${shapes.plainList} ${classes.strip}`} aria-label={t`Your mailboxes`}>
      <li className={classes.mailbox}>
        <strong>
          <Trans>All mailboxes</Trans>
        </strong>{' '}
        <span className={classes.numbers}>
          {numbers.some(({ isLoading }) => isLoading) ? ' ' : describe(all)}
        </span>
      </li>
      {mailboxes.map((mailbox, index) => (
        <li key={mailbox.number} className={classes.item}>
          <a
            href={toAddress('/', mailbox.number)}
            className={classes.mailbox}
            data-active={mailbox.current || undefined}
            aria-current={mailbox.current || undefined}
          >
            <bdi className={`${shapes.oneLine} ${classes.name}`}>{toMailboxName(mailbox)}</bdi>{' '}
            <span className={classes.numbers}>
              {mailbox.connection !== 'active' && t`Must be renewed`}
              {numbers[index]?.error && t`Not counted`}
              {numbers[index]?.data && describe(numbers[index].data)}
            </span>
          </a>
          {mailbox.connection !== 'active' && <Renewal mailbox={mailbox} />}
        </li>
      ))}
    </ul>
  );
};
