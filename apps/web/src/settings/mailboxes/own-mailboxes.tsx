import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { OwnMailbox } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { toAddress } from '../../address/shown-mailbox.ts';
import { useApi } from '../../api/api-context.tsx';
import { PROTECTIONS_KEY, RULES_KEY, refresh } from '../../api/query-keys.ts';
import { Select } from '../../controls/select.tsx';
import { sayUnchanged, showToast, toFailure } from '../../feedback/toasts.tsx';
import { lazyPart } from '../../lazy-parts/lazy-part.ts';
import { PartBoundary } from '../../lazy-parts/part-boundary.tsx';
import { ownMailboxesQuery, toMailboxName, useAddMailbox } from '../../mailboxes/own-mailboxes.ts';
import { useMe, useSignIn } from '../../session/use-mailbox.ts';
import shapes from '../../shapes.module.css';
import controls from '../section/settings-controls.module.css';
import { SettingsRow, SettingsSection } from '../section/settings-section.tsx';
import { RecentSignInDialog, useOpenDialog } from '../stored-data/open-dialog.ts';
import { useUpdateMailbox } from './use-mailboxes.ts';

const RenameMailboxDialog = lazyPart(async () => (await import('./mailbox-dialogs.tsx')).RenameMailboxDialog);
const RemoveMailboxDialog = lazyPart(async () => (await import('./mailbox-dialogs.tsx')).RemoveMailboxDialog);

/** The number of the shown mailbox until the mailboxes are known. */
const UNKNOWN = 0;

type OpenDialog = { kind: 'signIn' } | { kind: 'rename' | 'remove'; mailbox: OwnMailbox };

const Mailbox = (props: {
  mailbox: OwnMailbox;
  index: number;
  count: number;
  onOpen: (dialog: OpenDialog) => void;
}) => {
  const { mailbox, index, count, onOpen } = props;
  const move = useUpdateMailbox();
  const signIn = useSignIn(undefined, { mailbox: mailbox.number });
  const name = toMailboxName(mailbox);
  const isEnded = mailbox.connection !== 'active';
  return (
    <SettingsRow
      name={mailbox.current ? <bdi>{name}</bdi> : <a href={toAddress('/', mailbox.number)}>{name}</a>}
      note={[
        mailbox.name && mailbox.email,
        mailbox.provider.name,
        count > 1 && mailbox.current && t`shown now`,
        isEnded && t`must be renewed`,
      ]
        .filter(Boolean)
        .join(' · ')}
    >
      <div className={controls.controls}>
        {isEnded && (
          <Button onClick={signIn}>
            <Trans>Renew</Trans>
          </Button>
        )}
        {count > 1 &&
          [
            { Icon: IconArrowUp, label: t`Move ${name} up`, position: index },
            { Icon: IconArrowDown, label: t`Move ${name} down`, position: index + 2 },
          ].map(({ Icon, label, position }) => (
            <button
              key={label}
              type="button"
              className={shapes.iconButton}
              aria-label={label}
              disabled={position < 1 || position > count}
              onClick={() => move.mutate({ number: mailbox.number, position }, { onError: sayUnchanged })}
            >
              <Icon size={18} aria-hidden="true" />
            </button>
          ))}
        <Button
          variant="default"
          aria-label={t`Rename ${name}`}
          disabled={mailbox.number === UNKNOWN}
          onClick={() => onOpen({ kind: 'rename', mailbox })}
        >
          <Trans>Rename</Trans>
        </Button>
        {count > 1 && (
          <Button
            variant="default"
            aria-label={t`Take out ${name}…`}
            onClick={() => onOpen({ kind: 'remove', mailbox })}
          >
            <Trans>Take out…</Trans>
          </Button>
        )}
      </div>
    </SettingsRow>
  );
};

/** Copies from another mailbox to the shown one. */
const CopyRow = ({ others }: { others: readonly OwnMailbox[] }) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<number>();
  const from = others.find(({ number }) => number === chosen) ?? others[0];
  const copy = useMutation({
    mutationFn: (number: number) => client.copyFromMailbox({ params: { number: String(number) } }),
    onSuccess: ({ rules, protections }) => {
      const copied = [
        plural(rules, { one: '# rule', other: '# rules' }),
        plural(protections, { one: '# protected sender', other: '# protected senders' }),
      ].join(' · ');
      showToast({
        title: rules + protections === 0 ? t`There was nothing new to copy` : t`Copied: ${{ copied }}`,
        detail: rules > 0 && t`The rules are off until you turn them on.`,
        tone: 'done',
      });
      void refresh(queryClient, RULES_KEY, PROTECTIONS_KEY);
    },
    onError: (error) => showToast(toFailure(error, (title) => t`Nothing was copied: ${{ why: title }}`)),
  });
  if (!from) return null;
  return (
    <SettingsRow
      name={t`Copy rules and protected senders`}
      note={t`From another mailbox to the one shown now. Copied rules are off until you turn them on.`}
    >
      <div className={controls.controls}>
        <Select
          aria-label={t`Copy from`}
          value={from.number}
          onChange={setChosen}
          choices={others.map((mailbox) => ({ value: mailbox.number, label: toMailboxName(mailbox) }))}
        />
        <Button variant="default" loading={copy.isPending} onClick={() => copy.mutate(from.number)}>
          <Trans>Copy</Trans>
        </Button>
      </div>
    </SettingsRow>
  );
};

/** The mailboxes of the user. */
export const OwnMailboxes = () => {
  const query = useQuery(ownMailboxesQuery(useApi().client));
  const { data: me } = useMe();
  const add = useAddMailbox();
  const { continued, dialog, open, close } = useOpenDialog<OpenDialog>(() => null);
  const place = useRef<HTMLDivElement>(null);
  const leadsHere = continued === 'mailboxes';
  useEffect(() => {
    if (leadsHere) place.current?.scrollIntoView({ block: 'center' });
  }, [leadsHere]);
  // Most have one, whose row must not move what is below when it is known.
  const mailboxes = query.data ?? (me ? [{ ...me, number: UNKNOWN, name: null, current: true }] : []);
  return (
    <div ref={place}>
      <SettingsSection title={t({ message: 'Mailboxes', context: 'accounts' })} query={query}>
        {mailboxes.map((mailbox, index) => (
          <Mailbox
            key={mailbox.number}
            mailbox={mailbox}
            index={index}
            count={mailboxes.length}
            onOpen={open}
          />
        ))}
        <CopyRow others={mailboxes.filter(({ current }) => !current)} />
        <SettingsRow
          name={t`Add a mailbox`}
          note={t`One sign-in reaches all of them. Each has its own suggestions, rules and history; the first one sends the digest.`}
        >
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            loading={add.isPending}
            onClick={() => add.mutate()}
          >
            <Trans>Add</Trans>
          </Button>
        </SettingsRow>
      </SettingsSection>
      <PartBoundary>
        {dialog?.kind === 'rename' && <RenameMailboxDialog mailbox={dialog.mailbox} onClose={close} />}
        {dialog?.kind === 'remove' && (
          <RemoveMailboxDialog
            mailbox={dialog.mailbox}
            onClose={close}
            onSignInNeeded={() => open({ kind: 'signIn' })}
          />
        )}
        {dialog?.kind === 'signIn' && <RecentSignInDialog action="mailboxes" onClose={close} />}
      </PartBoundary>
    </div>
  );
};
