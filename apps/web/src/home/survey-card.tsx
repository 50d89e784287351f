import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Survey } from '@mailsweep/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useApi } from '../api/api-context.tsx';
import { MAILBOX_KEY, SENDERS_KEY } from '../api/query-keys.ts';
import { countEmails, formatCount } from '../email/counts.ts';
import { isFirstVisit, useScan } from '../scan/use-scan.ts';
import shapes from '../shapes.module.css';
import { CleanButton, CleanNote, SenderButtons } from './clean-button.tsx';
import homeClasses from './home-screen.module.css';
import classes from './payoff.module.css';

/** Poll intervals while a survey runs, and while a scan may repeat it. Unit: milliseconds. */
const RUNNING_MS = 1_000;
const SCANNING_MS = 5_000;
const SENDERS_SHOWN = 5;

/** Emails of some ages. */
const count = ({ counts }: Survey, ages: readonly string[]) => {
  const counted = counts.filter(({ age }) => ages.includes(age));
  const sum = (name: 'total' | 'unread' | 'inInbox') => counted.reduce((all, one) => all + one[name], 0);
  return { total: sum('total'), unread: sum('unread'), inInbox: sum('inInbox') };
};

/** All email by age, and who sends most of it, by the survey of a scan that has not read all of it. */
export const SurveyCard = () => {
  const { client } = useApi();
  const { scan, isInProgress } = useScan();
  const { data: survey } = useQuery({
    queryKey: [...MAILBOX_KEY, 'survey'],
    queryFn: ({ signal }) => client.getSurvey({ signal }),
    enabled: isFirstVisit(scan) && scan !== null,
    refetchInterval: ({ state: { data } }) => {
      if (!isInProgress) return false;
      return data?.state === 'completed' ? SCANNING_MS : RUNNING_MS;
    },
  });
  const { data: senders } = useQuery({
    queryKey: [...SENDERS_KEY, 'surveyed', survey?.unlisted, survey?.startedAt],
    queryFn: ({ signal }) => client.listSenders({ query: { perPage: SENDERS_SHOWN }, signal }),
    enabled: typeof survey?.unlisted === 'number',
    placeholderData: keepPreviousData,
  });
  if (!survey || survey.counts.length === 0 || !isInProgress) return null;
  const ages = [
    { name: t`older than 3 years`, days: 1_095, ...count(survey, ['older']) },
    { name: t`older than a year`, days: 365, ...count(survey, ['older', 'three_years']) },
    { name: t`older than 30 days`, days: 30, ...count(survey, ['older', 'three_years', 'year']) },
  ];
  const total = countEmails(survey.total);
  const read = formatCount(scan?.scanned ?? 0);
  return (
    <section className={`${shapes.card} ${homeClasses.numberList}`} aria-labelledby="survey-title">
      <h2 id="survey-title" className={homeClasses.numbersTitle}>
        <Trans>All your email</Trans>
      </h2>
      {survey.unlisted !== null && (
        <ul className={shapes.plainList} aria-labelledby="survey-title">
          {ages.map(({ name, days, total: emails, unread, inInbox }) => (
            <li key={days} className={homeClasses.cleanable}>
              <Link to="/inbox" search={{ scope: 'all', olderThan: days }} className={homeClasses.category}>
                <span>{name}</span> <span className={homeClasses.categoryCount}>{formatCount(emails)}</span>
                {unread > 0 && (
                  <small className={homeClasses.unread}>{t`${{ unread: formatCount(unread) }} unread`}</small>
                )}
              </Link>
              <CleanButton
                name={name}
                selection={{ type: 'filter', scope: 'all', olderThan: days, except: [] }}
                inInbox={inInbox}
                all={emails}
              />
            </li>
          ))}
        </ul>
      )}
      {senders && (
        <>
          <h3 id="largest-title" className={homeClasses.subtitle}>
            <Trans>Largest senders</Trans>
          </h3>
          <SenderButtons labelledBy="largest-title" senders={senders.data} counts="mails" />
        </>
      )}
      <CleanNote />
      <p className={`${classes.note} ${classes.cleanNote}`}>
        {t`Counted without reading: ${{ total }}. Read so far: ${{ read }}.`}
      </p>
    </section>
  );
};
