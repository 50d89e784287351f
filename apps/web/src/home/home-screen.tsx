import { i18n } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Survey } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArrowBackUp, IconEye, IconListCheck, IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/errors.ts';
import { MAILBOX_KEY, SENDERS_KEY } from '../api/query-keys.ts';
import { newestEmailsQuery } from '../api/suggestions-query.ts';
import { CleanupRequests } from '../cleanup/cleanup-requests.tsx';
import { RetryButton } from '../controls/load-buttons.tsx';
import { useOnceTrue } from '../controls/use-once-true.ts';
import { savePreferences, usePreferences } from '../device-preferences/preferences.ts';
import { countEmails, formatCount } from '../email/counts.ts';
import { CATEGORIES, CATEGORY_NAMES } from '../email/email-words.ts';
import { formatBytes } from '../email/sizes.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { lazyPart } from '../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../lazy-parts/part-boundary.tsx';
import { useHasSeveral } from '../mailboxes/own-mailboxes.ts';
import { ScanCard } from '../scan/scan-card.tsx';
import { toScanStage } from '../scan/scan-stage.ts';
import { isFirstVisit, newestScanQuery, useScan } from '../scan/use-scan.ts';
import { useMailbox } from '../session/use-mailbox.ts';
import shapes from '../shapes.module.css';
import { ScreenHeader } from '../shell/navigation/screen-header.tsx';
import { CleanButton, CleanNote, SenderButtons } from './clean-button.tsx';
import clearableClasses from './clearable.module.css';
import { Clearable } from './clearable.tsx';
import { cleanedQuery, clearableQuery, mailboxQuery } from './home-queries.ts';
import classes from './home-screen.module.css';
import { MailboxMap } from './mailbox-map.tsx';
import payoffClasses from './payoff.module.css';
import { Payoff } from './payoff.tsx';

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
const SurveyCard = () => {
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
    <section className={`${shapes.card} ${classes.numberList}`} aria-labelledby="survey-title">
      <h2 id="survey-title" className={classes.numbersTitle}>
        <Trans>All your email</Trans>
      </h2>
      {survey.unlisted !== null && (
        <ul className={shapes.plainList} aria-labelledby="survey-title">
          {ages.map(({ name, days, total: emails, unread, inInbox }) => (
            <li key={days} className={classes.cleanable}>
              <Link to="/inbox" search={{ scope: 'all', olderThan: days }} className={classes.category}>
                <span>{name}</span> <span className={classes.categoryCount}>{formatCount(emails)}</span>
                {unread > 0 && (
                  <small className={classes.unread}>{t`${{ unread: formatCount(unread) }} unread`}</small>
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
          <h3 id="largest-title" className={classes.subtitle}>
            <Trans>Largest senders</Trans>
          </h3>
          <SenderButtons labelledBy="largest-title" senders={senders.data} counts="mails" />
        </>
      )}
      <CleanNote />
      <p className={`${payoffClasses.note} ${payoffClasses.cleanNote}`}>
        {t`Counted without reading: ${{ total }}. Read so far: ${{ read }}.`}
      </p>
    </section>
  );
};

const MailboxStrip = lazyPart(async () => (await import('./mailbox-strip.tsx')).MailboxStrip);

/** Replaces one block; the others stay. */
const BlockError = (props: { what: string; query: { error: unknown; refetch: () => Promise<unknown> } }) => {
  const { title, advice } = describeError(props.query.error);
  return (
    <div className={classes.error} role="alert">
      <p className={classes.errorWords}>
        <strong>{props.what}</strong> {title}. {advice}
      </p>
      <RetryButton onClick={() => void props.query.refetch()} />
    </div>
  );
};

const Total = (props: { count: number | undefined; name: string; unread?: true }) => (
  <Link to="/inbox" search={props.unread ? { unread: true } : {}} className={classes.total}>
    <strong className={classes.count}>
      {props.count === undefined ? <Skeleton height={26} width={72} /> : formatCount(props.count)}
    </strong>{' '}
    <span className={classes.numberName}>{props.name}</span>
  </Link>
);

/** How much email there is. Each number links to its emails. */
const MailboxNumbers = () => {
  const query = useQuery(mailboxQuery(useApi().client));
  const known = useMailbox()?.categories ?? CATEGORIES;
  const { data } = query;
  if (query.error && !data) return <BlockError what={t`Your emails were not counted.`} query={query} />;
  if (data?.all === 0) return null;
  // Cleaning moves the numbers of the inbox; a very large one only has those of all mail.
  const scope = data && !data.inboxCategories ? 'all' : undefined;
  const counts = data?.inboxCategories ?? data?.categories;
  const byCategory = new Map(counts?.map(({ category, total }) => [category, total]));
  const most = Math.max(1, ...byCategory.values());
  return (
    <section className={`${shapes.card} ${classes.numberList}`} aria-labelledby="numbers-title">
      <h2 id="numbers-title" className={classes.numbersTitle}>
        <Trans>Your mailbox</Trans>
      </h2>
      <div className={classes.totals}>
        <Total count={data?.inbox.total} name={t`in the inbox`} />
        <Total count={data?.inbox.unread} name={t`unread`} unread />
      </div>
      <h3 id="categories-title" className={classes.subtitle}>
        {scope ? t`All mail by category` : t`Inbox by category`}
      </h3>
      <ul className={shapes.plainList} aria-labelledby="categories-title">
        {CATEGORIES.filter((category) => known.includes(category)).map((category) => {
          const total = byCategory.get(category);
          return (
            <li key={category} className={classes.cleanable}>
              <Link to="/inbox" search={{ category, scope }} className={classes.category}>
                <span>{i18n._(CATEGORY_NAMES[category])}</span>{' '}
                <span className={classes.categoryCount}>
                  {total === undefined ? <Skeleton height={12} width={34} /> : formatCount(total)}
                </span>
                <span className={`${shapes.track} ${classes.track}`} aria-hidden="true">
                  {total !== undefined && (
                    <span
                      className={`${shapes.bar} ${classes.bar}`}
                      style={{ inlineSize: `${(total / most) * 100}%` }}
                    />
                  )}
                </span>
              </Link>
              <CleanButton
                name={i18n._(CATEGORY_NAMES[category])}
                selection={{ type: 'filter', scope: 'inbox', category, except: [] }}
                inInbox={total ?? 0}
                all={total ?? 0}
              />
            </li>
          );
        })}
      </ul>
      <CleanNote />
    </section>
  );
};

/** What was cleaned; nothing at first. */
const Cleaned = () => {
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

const STEPS = [
  { name: msg`Scan`, text: msg`Mailsweep reads, and changes nothing.`, icon: IconEye },
  { name: msg`Decide`, text: msg`You accept or reject what it suggests.`, icon: IconListCheck },
  { name: msg`Undo any time`, text: msg`The history takes every change back.`, icon: IconArrowBackUp },
];

/** Explains cleaning until the user has read it. */
const Steps = () => {
  if (!usePreferences().showsSteps) return null;
  return (
    <section className={classes.strip} aria-label={t`How it works`}>
      <ol className={`${shapes.plainList} ${classes.welcomeSteps}`}>
        {STEPS.map(({ name, text, icon: Icon }) => (
          <li key={name.id} className={classes.step}>
            <Icon size={18} stroke={1.8} className={classes.icon} aria-hidden="true" />
            <span className={classes.words}>
              <strong className={classes.name}>{i18n._(name)}</strong>{' '}
              <span className={classes.text}>{i18n._(text)}</span>
            </span>
          </li>
        ))}
      </ol>
      <button
        type="button"
        className={shapes.iconButton}
        aria-label={t`Hide how it works`}
        title={t`Hide`}
        onClick={() => savePreferences({ showsSteps: false })}
      >
        <IconX size={16} aria-hidden="true" />
      </button>
    </section>
  );
};

/** Poll interval while a scan adds suggestions. Unit: milliseconds. */
const COUNTING_MS = 2_000;

const ClearableSkeleton = () => (
  <section className={clearableClasses.clearable} role="status" aria-label={t`Loading what can be cleaned`}>
    <Skeleton height={14} width={130} below={14} />
    <Skeleton height={40} width={220} below={12} />
    <Skeleton height={14} width={260} />
  </section>
);

/** The newest emails, the scan of the rest, and its results. */
const Cleaning = () => {
  const { client } = useApi();
  const scan = useScan();
  const groups = useQuery({
    ...clearableQuery(client),
    refetchInterval: scan.isInProgress ? COUNTING_MS : false,
  });
  const { data: mailbox, isPending: isUncounted } = useQuery(mailboxQuery(client));
  const isEmpty = mailbox?.all === 0;
  const isFirst = useOnceTrue(isFirstVisit(scan.scan));
  const newest = useQuery({ ...newestEmailsQuery(client), enabled: isFirst });
  const hasWatched = useOnceTrue(scan.isInProgress);
  const isThrough = hasWatched && scan.scan?.state === 'completed';
  const { refetch } = groups;
  useEffect(() => {
    if (isThrough) void refetch();
  }, [isThrough, refetch]);
  const startsByItself =
    scan.scan === null && newest.data?.classified === true && !isUncounted && mailbox?.all !== 0;
  const { start } = scan;
  const latestStart = useEffectEvent(start);
  useEffect(() => {
    if (startsByItself) latestStart();
  }, [startsByItself]);
  // The newest emails have suggestions, which are being counted.
  const isBehind =
    isFirst &&
    newest.data?.classified &&
    groups.data?.emails === 0 &&
    !groups.error &&
    groups.dataUpdatedAt < newest.dataUpdatedAt;
  if (groups.isPending || scan.isPending || (isFirst && newest.isLoading) || isBehind)
    return <ClearableSkeleton />;
  if (groups.data === undefined)
    return <BlockError what={t`What can be cleaned is not known.`} query={groups} />;
  // The scan completes before the suggestions are counted once more.
  const coverage = isThrough ? { ...groups.data, complete: true } : groups.data;
  const stage = scan.scan === undefined ? undefined : toScanStage(scan.scan, coverage);
  const offer = stage === 'never' && !isEmpty && !startsByItself && (
    <p className={clearableClasses.offer}>
      <Trans>
        A scan reads the rest of your mailbox. Nothing is changed.
        <Button variant="default" loading={scan.isStarting} onClick={scan.start}>
          Scan my mailbox
        </Button>
      </Trans>
    </p>
  );
  return (
    <>
      <Payoff />
      {newest.data?.classified === false && (
        <p className={classes.notice} role="status">
          <Trans>
            Your newest emails could not be judged: the classification service does not respond. Mailsweep
            tries again by itself.
          </Trans>
        </p>
      )}
      {newest.error && (
        <div className={classes.newestError}>
          <BlockError what={t`Your newest emails were not read.`} query={newest} />
        </div>
      )}
      {(!startsByItself || groups.data.emails > 0) && (
        <Clearable
          groups={groups.data}
          isScanning={startsByItself || stage === 'in-progress'}
          isEmpty={isEmpty}
          offer={offer}
        />
      )}
      {stage && stage !== 'never' && (
        <div className={classes.scan}>
          <ScanCard stage={stage} scan={scan} isAlone={false} />
        </div>
      )}
    </>
  );
};

/** Whether the cleaning part may still change its height. */
const useIsCleaningPending = (): boolean => {
  const { client } = useApi();
  const groups = useQuery(clearableQuery(client));
  const scan = useQuery(newestScanQuery(client));
  const mailbox = useQuery(mailboxQuery(client)).data;
  const newest = useQuery({ ...newestEmailsQuery(client), enabled: false });
  // The first scan starts after the newest emails are read.
  const beginsSoon =
    scan.data === null && mailbox?.all !== 0 && !newest.error && newest.data?.classified !== false;
  return groups.isPending || scan.isPending || beginsSoon;
};

/** What can be cleaned, how much email there is, and what was cleaned. */
export const HomeScreen = () => {
  const isCleaningPending = useIsCleaningPending();
  const hasSeveral = useHasSeveral();
  return (
    <div className={classes.screen}>
      <ScreenHeader title={t`Home`} />
      <div className={classes.parts}>
        {hasSeveral && (
          <div className={classes.mailboxes}>
            <PartBoundary>
              <MailboxStrip />
            </PartBoundary>
          </div>
        )}
        <div className={classes.requests}>
          <CleanupRequests />
        </div>
        <div className={classes.steps}>
          <Steps />
        </div>
        <div className={classes.cleaning}>
          <Cleaning />
          <div className={classes.map} data-pending={isCleaningPending || undefined}>
            <MailboxMap />
          </div>
        </div>
        <div className={classes.aside} data-pending={isCleaningPending || undefined}>
          <MailboxNumbers />
          <Cleaned />
          {/* Last, as it comes and grows while the mailbox is counted, and must move nothing. */}
          <SurveyCard />
        </div>
      </div>
    </div>
  );
};
