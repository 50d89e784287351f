import { t } from '@lingui/core/macro';
import type { Protection } from '@mailsweep/contracts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context.tsx';
import { isInvalidInput } from '../api/errors.ts';
import { parseSender } from '../email/sender/sender.ts';
import { Skeleton } from '../feedback/skeleton.tsx';
import { protectionsQuery } from '../protection/protections.tsx';
import { useProtect, useProtectByName } from '../protection/use-protect.ts';
import shapes from '../shapes.module.css';
import { formatExact } from '../time/format-time.tsx';
import classes from './protected-senders.module.css';
import { LoadFailure, SettingsRow, SettingsSection } from './section/settings-section.tsx';

const MAX_NAME_LENGTH = 400;

const ProtectedSender = ({ protection }: { protection: Protection }) => {
  const protect = useProtect();
  const { name, address } = parseSender(protection.from);
  const since = formatExact(new Date(protection.createdAt));
  return (
    <SettingsRow
      name={<bdi>{name}</bdi>}
      note={
        <>
          {protection.type === 'list' && `${t`Mailing list.`} `}
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

const ProtectByName = () => {
  const [name, setName] = useState('');
  const protect = useProtectByName();
  const isRefused = isInvalidInput(protect.error);
  return (
    <SettingsRow
      name={<label htmlFor="protect-name">{t`Protect an address or a domain`}</label>}
      note={
        isRefused ? (
          <span role="alert">{t`That is no address such as name@example.com, and no domain such as example.com.`}</span>
        ) : (
          t`A domain stands for everyone who writes from it.`
        )
      }
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') protect.mutate(name, { onSuccess: () => setName('') });
        }}
      >
        <input
          id="protect-name"
          className={shapes.textField}
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder={t`name@example.com or example.com`}
          aria-invalid={isRefused}
          maxLength={MAX_NAME_LENGTH}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            protect.reset();
          }}
        />
        <Button type="submit" variant="default" loading={protect.isPending}>
          {t`Protect`}
        </Button>
      </form>
    </SettingsRow>
  );
};

/** Senders that bulk actions leave alone. */
export const ProtectedSenders = () => {
  const query = useQuery(protectionsQuery(useApi().client));
  const senders = query.data;
  return (
    <SettingsSection title={t`Protected senders, domains and lists`}>
      <ProtectByName />
      {query.isPending && <Skeleton height={68} />}
      <LoadFailure query={query} />
      {senders?.length === 0 && (
        <SettingsRow
          name={t`No sender is protected`}
          note={t`Open a sender and choose “Protect”: bulk actions then leave their email alone, and clearing it is not suggested.`}
        />
      )}
      {senders?.map((protection) => (
        <ProtectedSender key={protection.id} protection={protection} />
      ))}
    </SettingsSection>
  );
};
