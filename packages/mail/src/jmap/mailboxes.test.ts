import { describe, expect, it } from 'vitest';
import { act, setUpMailbox } from './testing/test-mailbox.ts';

const ALL = { scope: 'all', pageSize: 100 } as const;

/** A mailbox of a role with an email in it, and one in another that is also in the inbox. */
const setUpRole = async (role: string | null, fields: { parentId?: string } = {}) => {
  const { mailbox, server } = await setUpMailbox();
  const box = server.addMailbox({ name: 'Box', role, ...fields });
  const deliver = (...ids: string[]) => server.deliver({ mailboxIds: new Set(ids) });
  return { mailbox, server, label: `mbx:${box.id}`, only: deliver(box.id), both: deliver(box.id, 'inbox') };
};

describe.each([
  ['scheduled', {}],
  ['memos', {}],
  ['snoozed', {}],
  ['Snoozed', {}],
  ['templates', {}],
  ['outbox', {}],
  ['x-of-another-server', {}],
  [null, { parentId: 'trash' }],
  [null, { parentId: 'junk' }],
  [null, { parentId: 'drafts' }],
])('what is in a mailbox of role %j %j', (role, fields) => {
  it('is left out of all lists and counts, also where it is in the inbox, too', async () => {
    const { mailbox, server } = await setUpRole(role, fields);
    const { id } = server.deliver();
    const ids = (emails: readonly { id: string }[]) => emails.map((email) => email.id);
    expect(ids((await mailbox.listEmails(ALL)).emails)).toEqual([id]);
    expect(ids((await mailbox.listEmails({ ...ALL, scope: 'inbox' })).emails)).toEqual([id]);
    expect(ids((await mailbox.listEmailIds(ALL, 10)).emails)).toEqual([id]);
    expect(await mailbox.countEmails('all')).toBe(1);
    const { categories } = await mailbox.countMailbox();
    expect(categories).toContainEqual({ category: 'primary', total: 1, unread: 1 });
  });

  it('is not shown by its id, nor changed', async () => {
    const { mailbox, only, both } = await setUpRole(role, fields);
    const ids = [only.id, both.id];
    expect(await mailbox.findEmails(ids)).toEqual([]);
    expect([...(await mailbox.readBaseline(ids)).noMail]).toEqual(ids);
    const before = [only, both].map(({ mailboxIds }) => [...mailboxIds]);
    for (const change of [
      { added: [], removed: ['INBOX'] },
      { added: ['TRASH'], removed: ['INBOX'] },
      { added: [], removed: ['UNREAD'] },
    ]) {
      const outcomes = await act(mailbox, ids, change);
      expect(outcomes).toMatchObject(ids.map((id) => ({ id, status: 'error', isUnsure: false })));
    }
    expect([only, both].map(({ mailboxIds }) => [...mailboxIds])).toEqual(before);
    expect([only, both].flatMap(({ keywords }) => [...keywords])).toEqual([]);
  });
});

it.each(['all', 'archive', 'flagged', 'important', 'sent', 'subscribed', null])(
  'what is in a mailbox of role %j is mail',
  async (role) => {
    const { mailbox, only, both } = await setUpRole(role);
    const { emails } = await mailbox.listEmails(ALL);
    expect(emails.map(({ id }) => id)).toEqual([both.id, only.id]);
    expect(await act(mailbox, [both.id], { added: [], removed: ['INBOX'] })).toMatchObject([
      { status: 'ok' },
    ]);
  },
);

it('what is in a mailbox that is called Trash, where none has the role, is in the trash', async () => {
  const { mailbox, server } = await setUpMailbox();
  server.changeMailbox('trash', 'remove');
  const { id } = server.deliver({ mailboxIds: new Set([server.addMailbox({ name: 'Trash' }).id]) });
  expect((await mailbox.readBaseline([id])).labels.get(id)).toEqual(['TRASH', 'UNREAD']);
});

it('what was deleted of a mailbox that holds no mail comes back there, and stays from then on', async () => {
  const { mailbox, server, label, only } = await setUpRole('scheduled');
  const [box = ''] = only.mailboxIds;
  server.change(only.id, { [`mailboxIds/${box}`]: null, 'mailboxIds/trash': true });
  const change = { added: ['TRASH'], removed: [label] };
  expect((await mailbox.checkChanges([{ id: only.id, change }])).statuses).toMatchObject([
    { isReversible: true },
  ]);
  const outcomes = await act(mailbox, [only.id], { added: [label], removed: ['TRASH'] });
  expect(outcomes).toMatchObject([{ status: 'ok', change: { removed: ['TRASH'] } }]);
  expect([...only.mailboxIds]).toEqual([box]);
  const { noMail } = await mailbox.readBaseline([only.id]);
  expect([...noMail]).toEqual([only.id]);
});

it('a mailbox that holds no mail is nobody’s label', async () => {
  const { mailbox, server } = await setUpRole('memos');
  server.addMailbox({ name: 'Old', parentId: 'trash' });
  const limits = { perCall: 10, inTotal: 10, prefix: '' };
  const found = await mailbox.findOrCreateLabels(['trash/Old'], limits);
  expect(found.get('trash/Old')).toEqual({ id: expect.stringMatching(/^mbx:/) });
  const { id: created } = [...server.mailboxes.values()].at(-1) ?? {};
  expect(found.get('trash/Old')).toEqual({ id: `mbx:${created}` });
});

describe('an account without a mailbox of role inbox', () => {
  it('has the one that is called so', async () => {
    const { mailbox, server } = await setUpMailbox();
    server.changeMailbox('inbox', { role: null, name: 'INBOX' });
    const email = server.deliver();
    expect((await mailbox.listEmails({ scope: 'inbox', pageSize: 10 })).emails).toMatchObject([
      { id: email.id, labels: ['INBOX', 'UNREAD'] },
    ]);
    expect(await mailbox.countInbox()).toEqual({ total: 1, unread: 1 });
    expect(await act(mailbox, [email.id], { added: [], removed: ['INBOX'] })).toMatchObject([
      { status: 'ok', change: { removed: ['INBOX'] } },
    ]);
    expect([...email.mailboxIds]).toEqual(['archive']);
  });

  it.each(['Posteingang', 'inbox 2'])(
    'has none in one that is called %s: every call says so',
    async (name) => {
      const { mailbox, server } = await setUpMailbox();
      server.changeMailbox('inbox', { role: null, name });
      const { id } = server.deliver();
      const change = { id, added: [], removed: ['INBOX'] };
      for (const call of [
        () => mailbox.listEmails(ALL),
        () => mailbox.listEmails({ ...ALL, scope: 'inbox' }),
        () => mailbox.listEmailIds(ALL, 10),
        () => mailbox.countInbox(),
        () => mailbox.countEmails('all'),
        () => mailbox.countMailbox(),
        () => mailbox.findEmails([id]),
        () => mailbox.readBaseline([id]),
        () => mailbox.checkChanges([]),
        () => mailbox.changeLabels([change], undefined),
        () => mailbox.readChangesSince('1'),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'no_inbox' });
      }
      expect(await mailbox.findChanges([change], undefined)).toMatchObject([
        { status: 'error', error: { code: 'no_inbox' }, isUnsure: true },
      ]);
    },
  );

  it('has had one until just now: that is not taken for an empty one', async () => {
    const { mailbox, server } = await setUpMailbox();
    server.deliver();
    expect(await mailbox.countInbox()).toEqual({ total: 1, unread: 1 });
    server.changeMailbox('inbox', 'remove');
    await expect(mailbox.countInbox()).rejects.toMatchObject({ code: 'no_inbox' });
  });
});
