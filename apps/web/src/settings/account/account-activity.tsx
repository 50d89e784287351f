import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { AuditEntry } from '@mailsweep/contracts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../../api/api-context.tsx';
import { LoadMoreButton } from '../../controls/list/load-more-button.tsx';
import shapes from '../../shapes.module.css';
import { formatExact } from '../../time/format-time.ts';
import { SettingsSection } from '../section/settings-section.tsx';
import classes from './account-activity.module.css';
import { auditQuery } from './account-queries.ts';
import { describeAuditEntry } from './audit-words.ts';

/** Of IPv6 addresses only the network is stored: `network 2001:db8:1:2`; that of the computer itself says nothing. */
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

/** What happened to the account, newest first. */
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
