import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { formatCount } from '../email/counts.ts';
import { parseSender } from '../email/sender/sender.ts';
import { SenderAvatar } from '../email/sender/sender-avatar.tsx';
import { isToday, payoffQuery } from '../session/payoff.ts';
import shapes from '../shapes.module.css';
import { SenderButtons } from './clean-button.tsx';
import { cleanedSendersQuery, largestSendersQuery, mailboxQuery } from './home-queries.ts';
import classes from './payoff.module.css';

const SENDERS_SHOWN = 3;

/** The unprotected senders with most emails in the inbox; then rules, which keep it clean. */
export const NextWins = () => {
  const { client } = useApi();
  const { data: largest } = useQuery(largestSendersQuery(client));
  const senders = largest?.senders.filter((sender) => !sender.protected).slice(0, SENDERS_SHOWN) ?? [];
  return (
    <div className={classes.next}>
      {senders.length > 0 && (
        <>
          <h3 id="wins-title" className={classes.subtitle}>
            {largest?.isWhole ? t`Who still fills your inbox` : t`Most of the emails read so far`}
          </h3>
          <SenderButtons labelledBy="wins-title" senders={senders} counts="inInbox" />
        </>
      )}
      <p className={classes.note}>
        <Link to="/rules">
          <Trans>Let rules clean new email</Trans>
        </Link>
      </p>
    </div>
  );
};

/** The inbox before and after cleaning; null before that, and after an undo. */
export const usePayoff = () => {
  const { client } = useApi();
  const { data: payoff } = useQuery(payoffQuery);
  const { data: mailbox } = useQuery({ ...mailboxQuery(client), enabled: payoff?.before !== undefined });
  const after = mailbox?.inbox.total;
  if (payoff?.before === undefined || !isToday(payoff.at)) return null;
  if (after === undefined || after >= payoff.before) return null;
  return { before: payoff.before, after, leftOut: payoff.leftOut };
};

const CLEANED_SHOWN = 5;

/** Whose email was cleaned today. */
const CleanedSenders = () => {
  const { data: senders = [] } = useQuery(cleanedSendersQuery(useApi().client));
  const named = senders.filter(({ from }) => from !== '').slice(0, CLEANED_SHOWN);
  if (named.length === 0) return null;
  return (
    <ul className={classes.cleaned} aria-label={t`Cleaned today`}>
      {named.map(({ from, emails }) => (
        <li key={from} className={classes.cleanedSender}>
          <SenderAvatar from={from} size="sm" />
          <bdi className={classes.cleanedName}>{parseSender(from).name}</bdi>
          <span className={classes.winCount}>{formatCount(emails)}</span>
        </li>
      ))}
    </ul>
  );
};

/** What cleaning achieved today, and what to do next. */
export const Payoff = () => {
  const payoff = usePayoff();
  if (!payoff) return null;
  const [from, to] = [formatCount(payoff.before), formatCount(payoff.after)];
  return (
    <section className={`${shapes.card} ${classes.card}`} aria-labelledby="payoff-title">
      <h2 id="payoff-title" className={classes.title}>
        {t`Inbox: ${{ from }} → ${{ to }}`}
      </h2>
      <div className={classes.bar} aria-hidden="true">
        <div className={classes.left} style={{ inlineSize: `${(100 * payoff.after) / payoff.before}%` }} />
      </div>
      <p className={classes.note}>
        {plural(payoff.before - payoff.after, {
          one: '# email has left the inbox.',
          other: '# emails have left the inbox.',
        })}{' '}
        {payoff.leftOut}
      </p>
      <CleanedSenders />
      <NextWins />
    </section>
  );
};
