import type { LabelChange } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import { act, setUpMailbox } from '../testing/test-mailbox.ts';

const ARCHIVE: LabelChange = { added: [], removed: ['INBOX'] };
const DELETE: LabelChange = { added: ['TRASH'], removed: ['INBOX'] };

/** Two kinds of servers, and an email that was listed a moment ago, with the mailboxes as they were then. */
describe.each([
  ['refuses changes into mailboxes that are gone', false],
  ['loses email in mailboxes that are gone, as Cyrus does', true],
])('at a server that %s', (_, takesEmailToGoneMailboxes) => {
  const setUp = async () => {
    const { mailbox, server, clock } = await setUpMailbox({ takesEmailToGoneMailboxes });
    const email = server.deliver();
    await mailbox.listEmails({ scope: 'inbox', pageSize: 10 });
    const placeOf = () => server.emails.get(email.id)?.mailboxIds;
    return { mailbox, server, clock, email, placeOf };
  };
  const findArchive = (mailboxes: Awaited<ReturnType<typeof setUp>>['server']['mailboxes']) =>
    [...mailboxes.values()].find(({ role }) => role === 'archive')?.id ?? '';

  it('email is archived into a new archive where the known one is gone', async () => {
    const { mailbox, server, email, placeOf } = await setUp();
    server.changeMailbox('archive', 'remove');
    const outcomes = await act(mailbox, [email.id], ARCHIVE);
    const archive = findArchive(server.mailboxes);
    expect(outcomes).toMatchObject([{ status: 'ok', change: { added: [`mbx:${archive}`] } }]);
    expect(placeOf()).toEqual(new Set([archive]));
  });

  it('email is archived into a new archive where the known one is deleted before the change is made', async () => {
    const { mailbox, server, email, placeOf } = await setUp();
    const { historyId, labels } = await mailbox.readBaseline([email.id]);
    server.changeMailbox('archive', 'remove');
    const before = labels.get(email.id);
    const outcomes = await mailbox.changeLabels([{ id: email.id, ...ARCHIVE, before }], historyId);
    const archive = findArchive(server.mailboxes);
    expect(outcomes).toMatchObject([{ status: 'ok', change: { added: [`mbx:${archive}`] } }]);
    expect(placeOf()).toEqual(new Set([archive]));
  });

  it('email is deleted into the mailbox that is the trash now', async () => {
    const { mailbox, server, email, placeOf } = await setUp();
    const { id } = server.addMailbox({ name: 'Bin' });
    server.changeMailbox('trash', { role: null });
    server.changeMailbox(id, { role: 'trash' });
    expect(await act(mailbox, [email.id], DELETE)).toMatchObject([{ status: 'ok', change: DELETE }]);
    expect(placeOf()).toEqual(new Set([id]));
  });

  it('email in the mailbox that is the trash now is not listed for a cleanup', async () => {
    const { mailbox, server, clock, email } = await setUp();
    const { id } = server.addMailbox({ name: 'Bin' });
    server.change(email.id, { 'mailboxIds/inbox': null, [`mailboxIds/${id}`]: true });
    const list = () => mailbox.listEmailIds({ scope: 'all' }, 10);
    expect((await list()).emails).toHaveLength(1);
    server.changeMailbox('trash', { role: null });
    server.changeMailbox(id, { role: 'trash' });
    clock.advance(5_000);
    expect((await list()).emails).toHaveLength(0);
  });

  it('email stays where it is when the mailbox of its label is gone', async () => {
    const { mailbox, server, email, placeOf } = await setUp();
    const { id } = server.addMailbox({ name: 'Bills' });
    await mailbox.findOrCreateLabels(['Bills'], { prefix: 'Mailsweep/', perCall: 1, inTotal: 1 });
    server.changeMailbox(id, 'remove');
    expect(await act(mailbox, [email.id], { added: [`mbx:${id}`], removed: ['INBOX'] })).toMatchObject([
      { status: 'error', error: { code: 'label_gone' }, isUnsure: false },
    ]);
    expect(placeOf()).toEqual(new Set(['inbox']));
  });

  it('a label is found by the present name of its mailbox and of its parent', async () => {
    const { mailbox, server } = await setUp();
    const limits = { prefix: 'Mailsweep/', perCall: 5, inTotal: 5 };
    const parent = server.addMailbox({ name: 'Mailsweep' });
    const { id } = server.addMailbox({ name: 'News', parentId: parent.id });
    expect(await mailbox.findOrCreateLabels(['Mailsweep/News'], limits)).toEqual(
      new Map([['Mailsweep/News', { id: `mbx:${id}` }]]),
    );
    server.changeMailbox(parent.id, { name: 'Swept' });
    expect(await mailbox.findOrCreateLabels(['Swept/News'], limits)).toEqual(
      new Map([['Swept/News', { id: `mbx:${id}` }]]),
    );
  });
});
