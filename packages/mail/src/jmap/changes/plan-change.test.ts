import type { LabelChange } from '@mailsweep/contracts';
import { NO_CHANGE } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { act, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE: LabelChange = { added: [], removed: ['INBOX'] };
const ARCHIVED: LabelChange = { added: ['mbx:archive'], removed: ['INBOX'] };

describe('an email', () => {
  it('that is archived goes to the archive where it would have no mailbox, and undo takes it out', async () => {
    const { mailbox, server } = await setUpMailbox({ destroysOrphans: true });
    const { id: label } = server.addMailbox({ name: 'Bills' });
    const alone = server.deliver();
    const labelled = server.deliver({ mailboxIds: new Set(['inbox', label]) });
    const outcomes = await act(mailbox, [alone.id, labelled.id], ARCHIVE);
    expect(outcomes).toMatchObject([
      { change: ARCHIVED, historyId: server.state() },
      { change: ARCHIVE, historyId: server.state() },
    ]);
    expect([alone.mailboxIds, labelled.mailboxIds]).toEqual([new Set(['archive']), new Set([label])]);
    await act(mailbox, [alone.id], { added: ARCHIVED.removed, removed: ARCHIVED.added });
    expect(alone.mailboxIds).toEqual(new Set(['inbox']));
  });

  it('that is deleted is in the trash alone, and undo restores all its mailboxes', async () => {
    const { mailbox, server } = await setUpMailbox();
    const { id: label } = server.addMailbox({ name: 'Bills' });
    const email = server.deliver({ mailboxIds: new Set(['inbox', label]) });
    const [outcome] = await act(mailbox, [email.id], { added: ['TRASH'], removed: ['INBOX'] });
    expect(email.mailboxIds).toEqual(new Set(['trash']));
    expect(outcome).toMatchObject({ change: { added: ['TRASH'], removed: ['INBOX', `mbx:${label}`] } });
    await act(mailbox, [email.id], { added: ['INBOX', `mbx:${label}`], removed: ['TRASH'] });
    expect(email.mailboxIds).toEqual(new Set(['inbox', label]));
  });

  it('is not touched for a label whose mailbox is gone', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    const [added] = await act(mailbox, [email.id], { added: ['mbx:gone'], removed: ['INBOX'] });
    expect(added).toMatchObject({ status: 'error', error: { code: 'label_gone' }, isUnsure: false });
    const [removed] = await act(mailbox, [email.id], { added: [], removed: ['mbx:gone'] });
    expect(removed).toMatchObject({ status: 'ok', change: NO_CHANGE });
    expect(email.mailboxIds).toEqual(new Set(['inbox']));
  });

  it('is changed by the labels of mailboxes that another process has made a moment ago', async () => {
    const { mailbox, server } = await setUpMailbox();
    const [labelled, deleted] = [server.deliver(), server.deliver()];
    await mailbox.readBaseline([labelled.id]);
    const { id: label } = server.addMailbox({ name: 'Bills' });
    server.change(labelled.id, { [`mailboxIds/${label}`]: true });
    const removal = { added: [], removed: [`mbx:${label}`] };
    expect(await act(mailbox, [labelled.id], removal)).toMatchObject([{ status: 'ok', change: removal }]);
    const { id: other } = server.addMailbox({ name: 'Letters' });
    server.change(deleted.id, { [`mailboxIds/${other}`]: true });
    await act(mailbox, [deleted.id], { added: ['TRASH'], removed: ['INBOX'] });
    expect([labelled.mailboxIds, deleted.mailboxIds]).toEqual([new Set(['inbox']), new Set(['trash'])]);
  });

  it.each([
    ['the inbox', ['INBOX', 'mbx:gone'], 'inbox'],
    ['the archive', ['mbx:gone'], 'archive'],
  ])('that was deleted comes back to %s where its mailbox is gone', async (_where, added, mailboxId) => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver({ mailboxIds: new Set(['trash']) });
    expect(await act(mailbox, [email.id], { added, removed: ['TRASH'] })).toMatchObject([{ status: 'ok' }]);
    expect(email.mailboxIds).toEqual(new Set([mailboxId]));
  });

  it('that is a draft is not changed', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver({ keywords: new Set(['$draft']) });
    const outcomes = await act(mailbox, [email.id], ARCHIVE);
    expect(outcomes).toMatchObject([{ status: 'error', error: { code: 'not_found' } }]);
  });

  it('goes to an archive that is created where the account has none', async () => {
    const { mailbox, server } = await setUpMailbox();
    server.mailboxes.delete('archive');
    const email = server.deliver();
    const [outcome] = await act(mailbox, [email.id], ARCHIVE);
    const [archive] = [...server.mailboxes.values()].filter(({ role }) => role === 'archive');
    expect(archive?.name).toBe('Archive');
    expect(outcome).toMatchObject({ change: { added: [`mbx:${archive?.id}`] } });
  });

  it('goes to one without the role where the server takes none for a new mailbox', async () => {
    const { mailbox, server } = await setUpMailbox({ refuses: ['roles'] });
    server.mailboxes.delete('archive');
    const email = server.deliver();
    const [outcome] = await act(mailbox, [email.id], ARCHIVE);
    const [archive] = [...server.mailboxes.values()].filter(({ name }) => name === 'Archive');
    expect(outcome).toMatchObject({ status: 'ok', change: { added: [`mbx:${archive?.id}`] } });
  });

  it('goes to a mailbox of that name where none has the role', async () => {
    const { mailbox, server } = await setUpMailbox();
    server.mailboxes.delete('archive');
    const { id } = server.addMailbox({ name: 'Archive' });
    const email = server.deliver();
    await act(mailbox, [email.id], ARCHIVE);
    expect(email.mailboxIds).toEqual(new Set([id]));
  });
});

describe('what the account does not allow is said, and not asked for:', () => {
  const toSession = (fields: object) => ({
    accounts: { account: { name: 'ada', isPersonal: true, isReadOnly: false, ...fields } },
  });
  const withMail = (fields: object) =>
    toSession({ accountCapabilities: { 'urn:ietf:params:jmap:mail': fields } });

  it.each([
    ['to take email out of a mailbox', 'inbox', { mayRemoveItems: false }, ARCHIVE],
    ['to put email into one', 'archive', { mayAddItems: false }, ARCHIVE],
    ['to mark email read', 'inbox', { maySetSeen: false }, { added: [], removed: ['UNREAD'] }],
    ['to star email', 'inbox', { maySetKeywords: false }, { added: ['STARRED'], removed: [] }],
  ])('%s', async (_, id, myRights, change) => {
    const { mailbox, server } = await setUpMailbox();
    server.changeMailbox(id, { myRights });
    const email = server.deliver();
    const outcomes = await act(mailbox, [email.id], change);
    expect(outcomes).toMatchObject([{ status: 'error', error: { code: 'not_permitted' }, isUnsure: false }]);
    expect(server.methodsCalled().flat()).not.toContain('Email/set');
  });

  it.each([
    ['to change it', toSession({ isReadOnly: true }), ARCHIVE, 'forbidden'],
    ['one mailbox more', withMail({ maxMailboxesPerEmail: 1 }), 'label', 'too_many_mailboxes'],
  ] as const)('%s', async (_, session, wanted, code) => {
    const { mailbox, server } = await setUpMailbox({ session });
    const { id } = server.addMailbox({ name: 'Bills' });
    const email = server.deliver();
    const change = wanted === 'label' ? { added: [`mbx:${id}`], removed: [] } : wanted;
    const outcomes = await act(mailbox, [email.id], change);
    expect(outcomes).toMatchObject([{ status: 'error', error: { code }, isUnsure: false }]);
    expect(server.methodsCalled().flat()).not.toContain('Email/set');
  });

  it('to create mailboxes', async () => {
    const { mailbox, server } = await setUpMailbox({
      session: withMail({ mayCreateTopLevelMailbox: false }),
    });
    const limits = { perCall: 5, inTotal: 5, prefix: '' };
    const found = await mailbox.findOrCreateLabels(['Bills'], limits);
    expect(found.get('Bills')).toEqual({ reason: 'not_permitted' });
    server.mailboxes.delete('archive');
    const archived = act(mailbox, [server.deliver().id], ARCHIVE);
    await expect(archived).rejects.toMatchObject({ code: 'not_permitted' });
  });
});

describe('an email that a server shows in no mailbox', () => {
  it('leaves open what became of it', async () => {
    const { mailbox, server } = await setUpMailbox();
    const email = server.deliver();
    const { historyId, labels } = await mailbox.readBaseline([email.id]);
    const requests = [{ id: email.id, ...ARCHIVE, before: labels.get(email.id) }];
    server.intercept(({ methodCalls }) => {
      if (methodCalls?.[0]?.[0] !== 'Email/set') return undefined;
      email.mailboxIds = new Set();
      return { status: 502 };
    });
    const open = [{ status: 'error', error: { code: 'mailbox_unavailable' }, isUnsure: true }];
    expect(await mailbox.changeLabels(requests, historyId)).toMatchObject(open);
    expect(await mailbox.findChanges(requests, historyId, 121_000)).toMatchObject(open);
    email.mailboxIds = new Set(['archive']);
    expect(await mailbox.findChanges(requests, historyId)).toMatchObject([{ change: ARCHIVED }]);
  });
});
