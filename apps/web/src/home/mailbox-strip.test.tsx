import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ownMailboxesQuery, useHasSeveral } from '../mailboxes/own-mailboxes.ts';
import { renderAtRoute, toProblem } from '../testing/render-at-route.tsx';
import { sampleMailbox } from '../testing/sample-mailboxes.ts';
import { MailboxStrip } from './mailbox-strip.tsx';

const WORK = sampleMailbox(2, { name: 'Work' });
const OLD = sampleMailbox(3, { name: 'Old', connection: 'reauth_required' });

it('the strip sums up every mailbox, and leads to each', async () => {
  const { asked } = show([sampleMailbox(1), WORK]);
  const strip = within(await screen.findByRole('list', { name: 'Your mailboxes' }));
  await strip.findByText('1,304 in the inbox · 415 can go');
  const [all, first, second] = strip.getAllByRole('listitem').map(({ textContent }) => textContent?.trim());
  expect([all, first, second]).toEqual([
    'All mailboxes 1,304 in the inbox · 415 can go',
    'ada@example.com 100 in the inbox · 3 can go',
    'Work 1,204 in the inbox · 412 can go',
  ]);
  expect(strip.getByRole('link', { name: /^Work/ }).getAttribute('href')).toBe('/m/2/');
  expect(strip.getByRole('link', { current: true }).textContent).toContain('ada@example.com');
  expect(asked).toEqual(['2', '2']);
});

it('the strip says which mailboxes could not be counted, and renews a connection that has ended', async () => {
  const assigned = vi.spyOn(window.location, 'assign').mockReturnValue();
  const { asked } = show([sampleMailbox(1), WORK, OLD], () => toProblem(503, 'mailbox_unavailable'));
  const strip = within(await screen.findByRole('list', { name: 'Your mailboxes' }));
  await strip.findByText('Not counted');
  await strip.findByText('Must be renewed');
  await userEvent.click(strip.getByRole('button', { name: 'Renew Old' }));
  expect(assigned).toHaveBeenCalledWith('https://api.example.org/auth/idp?renew=true&mailbox=3');
  expect(asked).not.toContain('3');
});

it('the strip stays away from who has one mailbox', async () => {
  const { requests } = show([sampleMailbox(1)]);
  await screen.findByText('drawn');
  expect(screen.queryByRole('list')).toBeNull();
  await waitFor(() => expect(requests).toContain('GET /api/v1/me'));
  expect(requests.some((request) => /mailboxes|suggestions/.test(request))).toBe(false);
});

/** Numbers of the shown mailbox, and others by the header. */
const show = (mailboxes: ReturnType<typeof sampleMailbox>[], respond?: () => Response) => {
  const asked: (string | null)[] = [];
  vi.stubGlobal('fetch', async (url: URL, init: RequestInit) => {
    asked.push(new Headers(init.headers).get('mailsweep-mailbox'));
    return respond?.() ?? Response.json(toBody(String(url), 1_204, 412));
  });
  const Strip = () => (
    <>
      <p>drawn</p>
      {useHasSeveral() && <MailboxStrip />}
    </>
  );
  const page = renderAtRoute(Strip, (url) => toBody(url.href, 100, 3));
  page.queryClient.setQueryData(ownMailboxesQuery({} as never).queryKey, mailboxes);
  return { ...page, asked };
};

const toBody = (url: string, total: number, clearable: number) =>
  url.includes('/suggestions/groups')
    ? { actionsByDegree: { sure: { archive: clearable - 1, label: 7 }, likely: { delete: 1 } } }
    : { inbox: { total, unread: 0 } };
