import { t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import { type Email, type Protection, type Sender, toSenderName, toSenderNames } from '@mailsweep/contracts';
import { IconAlertTriangle, IconShieldCheckFilled, IconUserQuestion } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../api/api-context.tsx';
import { readAllPages } from '../api/paged-list.ts';
import { PROTECTIONS_KEY } from '../api/query-keys.ts';
import { whenIdle } from '../lazy-parts/when-idle.ts';

const STALE_MS = 60_000;

/** All protections, newest first: there are few. */
export const protectionsQuery = (client: ApiClient) =>
  queryOptions({
    queryKey: PROTECTIONS_KEY,
    queryFn: ({ signal }) =>
      whenIdle().then(() => readAllPages((query) => client.listProtections({ query, signal }))),
    staleTime: STALE_MS,
  });

const toListName = (list: string): string => `list:${list}`;

/** The names by which a group may be protected. */
const toGroupNames = ({ by, name }: NonNullable<Sender['group']>): string[] => [
  ...(by === 'list' ? [toListName(name)] : []),
  toSenderName(name) ?? name,
];

const byName = (protections: readonly Protection[]): Map<string, Protection> =>
  new Map(
    protections.flatMap((protection) => {
      const { type, from } = protection;
      const name = type === 'list' ? toListName(from) : (toSenderName(from) ?? toSenderNames(from)[0]);
      return name === undefined ? [] : [[name, protection]];
    }),
  );

export const useFindProtection = (): ((from: string, group?: Sender['group']) => Protection | undefined) => {
  const { client } = useApi();
  const { data } = useQuery({ ...protectionsQuery(client), select: byName });
  return useCallback(
    (from, group) => {
      if (data === undefined || data.size === 0) return undefined;
      const name = (group ? toGroupNames(group) : toSenderNames(from)).find((candidate) =>
        data.has(candidate),
      );
      return name === undefined ? undefined : data.get(name);
    },
    [data],
  );
};

/** @param props.known - whether it is protected, where its name does not tell */
export const ProtectedMark = ({ from, known }: { from: string; known?: boolean | undefined }) => {
  const found = useFindProtection()(from) !== undefined;
  const isProtected = known ?? found;
  return isProtected ? (
    <IconShieldCheckFilled
      size={14}
      role="img"
      aria-label={t`Protected`}
      style={{ flex: 'none', color: 'var(--accent-text)', verticalAlign: '-2px' }}
    />
  ) : null;
};

/** Beside the name of the sender of an email, or of a group. */
export const SenderMark = ({
  email,
}: {
  email: Pick<Email, 'from' | 'isSenderUnclear' | 'failsDmarc'> &
    Partial<Pick<Sender, 'group' | 'protected'>>;
}) => {
  const warning = {
    size: 14,
    role: 'img',
    style: { flex: 'none', color: 'var(--warning-text)', verticalAlign: '-2px' },
  } as const;
  if (email.isSenderUnclear) return <IconUserQuestion {...warning} aria-label={t`Sender unclear`} />;
  return (
    <>
      {email.failsDmarc && <IconAlertTriangle {...warning} aria-label={t`Sender may be forged`} />}
      <ProtectedMark from={email.from} known={email.group && email.protected} />
    </>
  );
};
