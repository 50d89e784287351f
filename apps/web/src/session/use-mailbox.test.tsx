import type { MailboxCapabilities, Me } from '@mailsweep/contracts';
import { renderHook, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { createHookWrapper } from '../testing/hook-wrapper.tsx';
import { useEmailLink, useMe, useTrashNote } from './use-mailbox.ts';

it('leads to an email at the provider, whatever its id and the address have', async () => {
  const { link } = await renderWith({ emailUrl: 'https://mail.example/?user={address}#{emailId}' });
  expect(link?.name).toBe('Our server');
  expect(link?.toUrl('a/b&$&c')).toBe('https://mail.example/?user=ada%2Bx%40example.com#a%2Fb%26%24%26c');
});

it('leads nowhere where the provider has no address for an email', async () => {
  const { link } = await renderWith({ emailUrl: null });
  expect(link).toBeUndefined();
});

it('leads nowhere with the API of the version before, which does not tell', async () => {
  const { link, trashNote } = await renderWith(undefined);
  expect(link).toBeUndefined();
  expect(trashNote).toBe('Your mail provider decides how long it keeps email in Trash.');
});

it.each([
  [30, 'Our server keeps email in Trash for 30 days.'],
  [null, 'Our server decides how long it keeps email in Trash.'],
])('says of %s days what becomes of the trash', async (trashDays, words) => {
  expect((await renderWith({ trashDays })).trashNote).toBe(words);
});

const CAPABILITIES: MailboxCapabilities = {
  name: 'Our server',
  categories: ['primary'],
  hasQuotaUnits: false,
  trashDays: null,
  emailUrl: null,
};

/** The results of the hooks for a signed-in user. */
const renderWith = async (mailbox: Partial<MailboxCapabilities> | undefined) => {
  const me: Omit<Me, 'mailbox'> = {
    userId: 'ada',
    email: 'ada+x@example.com',
    name: null,
    connection: 'active',
    provider: { key: 'own', name: 'Our server', kind: 'jmap', offersReadOnly: false, signIn: 'token' },
    sessionExpiresAt: '2026-01-31T09:30:00.000Z',
  };
  const wrapper = createHookWrapper(async () =>
    Response.json({ ...me, ...(mailbox && { mailbox: { ...CAPABILITIES, ...mailbox } }) }),
  );
  const { result } = renderHook(
    () => ({ isKnown: useMe().isSuccess, link: useEmailLink(), trashNote: useTrashNote() }),
    { wrapper },
  );
  await waitFor(() => expect(result.current.isKnown).toBe(true));
  return result.current;
};
