import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { formatCount } from '../email/counts.ts';
import { formatBytes } from '../email/sizes.ts';
import shapes from '../shapes.module.css';
import { BlockError } from './block-error.tsx';
import classes from './cleaned.module.css';
import { cleanedQuery } from './home-queries.ts';

/** What was cleaned so far; nothing before there is something to show. */
export const Cleaned = () => {
  const query = useQuery(cleanedQuery(useApi().client));
  const { data: cleaned } = query;
  if (query.error && !cleaned) return <BlockError what={t`What was cleaned is not known.`} query={query} />;
  if (!cleaned || cleaned.emails === 0) return null;
  const numbers = [
    [plural(cleaned.emails, { one: 'email', other: 'emails' }), formatCount(cleaned.emails)],
    ...(cleaned.bytes > 0 ? [[t`freed when the trash is emptied`, formatBytes(cleaned.bytes)]] : []),
    [plural(cleaned.senders, { one: 'sender', other: 'senders' }), formatCount(cleaned.senders)],
  ];
  return (
    <section className={`${shapes.card} ${classes.cleaned}`} aria-labelledby="cleaned-title">
      <h2 id="cleaned-title" className={classes.title}>
        <Trans>Cleaned so far</Trans>
      </h2>
      <dl className={classes.numbers}>
        {numbers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.links}>
        <Link to="/activity">
          <Trans>See the activity</Trans>
        </Link>
        <Link to="/history">
          <Trans>Undo in the history</Trans>
        </Link>
      </p>
    </section>
  );
};
