import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useContext } from 'react';
import { useApi } from '../api/api-context.tsx';
import { countEmails, formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { SenderSheetContext } from '../email/sender/sender-button.tsx';
import { payoffQuery } from '../queries/payoff.ts';
import shapes from '../shapes.module.css';
import classes from './first-clean.module.css';
import { largestSendersQuery, mailboxQuery } from './home-queries.ts';

/** The senders with most emails in the inbox, each one click away; then rules, which keep it clean. */
export const NextWins = () => {
  const { client } = useApi();
  const { data: senders = [] } = useQuery(largestSendersQuery(client));
  const openSheet = useContext(SenderSheetContext);
  return (
    <div className={classes.next}>
      {senders.length > 0 && (
        <>
          <h3 id="wins-title" className={classes.subtitle}>
            <Trans>Who still fills your inbox</Trans>
          </h3>
          <ul className={classes.wins} aria-labelledby="wins-title">
            {senders.map(({ id, from, inInbox }) => (
              <li key={id}>
                <button
                  type="button"
                  aria-haspopup="dialog"
                  className={classes.win}
                  onClick={() => openSheet({ senderId: id, from })}
                >
                  <bdi className={classes.winName}>{parseSender(from).name || t`Unknown sender`}</bdi>{' '}
                  <span className={classes.winCount}>{countEmails(inInbox)}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      <p className={classes.note}>
        <Trans>
          Keep it so: <Link to="/rules">let rules clean new email</Link>.
        </Trans>
      </p>
    </div>
  );
};

/** The size of the inbox before and after cleaning; null before that, and once it is undone. */
export const usePayoff = () => {
  const { client } = useApi();
  const { data: payoff } = useQuery(payoffQuery);
  const { data: mailbox } = useQuery({ ...mailboxQuery(client), enabled: payoff?.before !== undefined });
  const after = mailbox?.inbox.total;
  if (payoff?.before === undefined || after === undefined || after >= payoff.before) return null;
  return { before: payoff.before, after, leftOut: payoff.leftOut };
};

/** What cleaning came to since the app was opened, and what to do next. */
export const Payoff = () => {
  const payoff = usePayoff();
  if (!payoff) return null;
  const [from, to] = [formatCount(payoff.before), formatCount(payoff.after)];
  return (
    <section className={`${shapes.card} ${classes.card}`} aria-labelledby="payoff-title">
      <h2 id="payoff-title" className={classes.title}>
        {t`Inbox: ${{ from }} → ${{ to }}`}
      </h2>
      <p className={classes.note}>
        {plural(payoff.before - payoff.after, { one: '# email less.', other: '# emails less.' })}{' '}
        {payoff.leftOut}
      </p>
      <NextWins />
    </section>
  );
};
