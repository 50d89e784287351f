import { t } from '@lingui/core/macro';
import type { Protection } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '../api/api-context.tsx';
import { LoadMoreButton } from '../controls/list/load-more-button.tsx';
import { parseSender } from '../email/sender/sender.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { protectionsQuery } from '../protection/protections-query.ts';
import { useProtect } from '../protection/use-protect.ts';
import { formatExact } from '../time/format-time.ts';
import classes from './account/account-activity.module.css';
import { LoadFailure } from './section/load-failure.tsx';
import { SettingsRow, SettingsSection } from './section/settings-section.tsx';

const ProtectedSender = ({ protection }: { protection: Protection }) => {
  const protect = useProtect();
  const { name, address } = parseSender(protection.from);
  const since = formatExact(new Date(protection.createdAt));
  return (
    <SettingsRow
      name={<bdi>{name}</bdi>}
      note={
        <>
          {address !== name && (
            <>
              <bdi>{address}</bdi>.{' '}
            </>
          )}
          {t`Protected since ${{ since }}.`}
        </>
      }
    >
      <Button
        variant="default"
        aria-label={t`Remove ${{ name }}`}
        loading={protect.isPending}
        onClick={() => protect.mutate({ sender: protection, isProtected: false })}
      >
        {t`Remove`}
      </Button>
    </SettingsRow>
  );
};

/** The senders whose email bulk actions leave alone. */
export const ProtectedSenders = () => {
  const { client } = useApi();
  const query = useInfiniteQuery(protectionsQuery(client));
  const senders = query.data?.pages.flatMap((page) => page.data);
  return (
    <SettingsSection title={t`Protected senders`}>
      {query.isPending && <Skeleton height={68} />}
      {query.isError && !senders && <LoadFailure error={query.error} onRetry={() => void query.refetch()} />}
      {senders?.length === 0 && (
        <SettingsRow
          name={t`No sender is protected`}
          note={t`Open a sender and choose “Protect”: bulk actions then leave their email alone, and clearing it is not suggested.`}
        />
      )}
      {senders?.map((protection) => (
        <ProtectedSender key={protection.id} protection={protection} />
      ))}
      <LoadMoreButton query={query} className={classes.more}>
        {t`Show more senders`}
      </LoadMoreButton>
    </SettingsSection>
  );
};
