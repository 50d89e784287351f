import type { LabelChange } from '@mailsweep/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createJmapMailbox } from './jmap-mailbox.ts';
import { readMailboxesNow } from './mailboxes.ts';
import { CORE, SessionResourceSchema, setEmails, setMailboxes } from './protocol/jmap-schemas.ts';
import { listenToAccount } from './push/listen-to-account.ts';
import { readPlaces } from './read-emails.ts';
import { type CyrusServer, findMissingCyrus, startCyrus } from './testing/cyrus.ts';
import { PROFILES } from './testing/fake-jmap/profiles.ts';
import { openCyrusAccount } from './testing/test-mailbox.ts';

const missing = findMissingCyrus();

const INVITATION = [
  'From: "Doe, Jane" <jane@shop.example>',
  'Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=',
  'Message-ID: <one@shop.example>',
  'List-Id: <news.shop.example>',
  'List-Unsubscribe: <mailto:off@shop.example>, <https://shop.example/off>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'hello',
  '--b',
  'Content-Type: application/pdf; name="a.pdf"',
  'Content-Disposition: attachment; filename="a.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  'AAAAAAAA',
  '--b',
  'Content-Type: text/calendar; method=REQUEST',
  '',
  'BEGIN:VCALENDAR',
  'END:VCALENDAR',
  '--b--',
  '',
].join('\r\n');

/** What docs/JMAP.md says of Cyrus. */
describe.skipIf(missing !== undefined)(`Cyrus${missing ? ` (skipped: ${missing})` : ''}`, () => {
  let cyrus: CyrusServer;
  beforeAll(async () => {
    cyrus = await startCyrus();
  });
  afterAll(() => cyrus?.stop());

  const openAccount = () => openCyrusAccount(cyrus);
  const archived = { labels: ['INBOX'], receivedAt: new Date(0), subject: 'One', from: 'A <a@b.example>' };

  it('has mail that has just arrived by SMTP on every list that does not depend on its indexes', async () => {
    const { mailbox, user } = await openAccount();
    await cyrus.deliver(user, INVITATION);
    const { emails } = await mailbox.listEmails({ scope: 'inbox', pageSize: 10, search: 'has:attachment' });
    expect(emails).toMatchObject([
      {
        from: '"Doe, Jane" <jane@shop.example>',
        subject: 'Grüße',
        snippet: 'hello',
        hasAttachment: true,
        category: 'forums',
        labels: ['INBOX', 'UNREAD', 'CATEGORY_FORUMS'],
      },
    ]);
    const listed = { emails: [{ id: emails[0]?.id }], isComplete: true };
    expect(await mailbox.listEmailIds({ scope: 'all', invitations: true }, 10)).toMatchObject(listed);
    expect(await mailbox.listEmailIds({ scope: 'all', from: ['jane@shop.example'] }, 10)).toMatchObject(
      listed,
    );
    expect(await mailbox.listEmailIds({ scope: 'all', category: 'forums' }, 10)).toMatchObject(listed);
    expect((await mailbox.countMailbox()).categories).toContainEqual({
      category: 'forums',
      total: 1,
      unread: 1,
    });
  });

  it('destroys an email that was moved and is taken out of its last mailbox, which no change of ours does', async () => {
    const { deliver, inSession, mailbox, readLabels } = await openAccount();
    const [destroyed, kept] = [await deliver(archived), await deliver(archived)];
    await inSession(async (session) => {
      const { idOf } = await readMailboxesNow(session);
      const [inbox, archive] = [`mailboxIds/${idOf('inbox')}`, `mailboxIds/${idOf('archive')}`];
      const patch = (changes: object) => session.change([setEmails({ update: { [destroyed]: changes } })]);
      expect(await patch({ [inbox]: null })).toMatchObject([{ notUpdated: { [destroyed]: {} } }]);
      await patch({ [inbox]: null, [archive]: true });
      // From here on Cyrus takes the copy that has left the inbox for one that keeps the email.
      expect(await patch({ [archive]: null })).toMatchObject([{ updated: { [destroyed]: null } }]);
    });
    expect(await readLabels(destroyed)).toEqual([]);
    const { historyId } = await mailbox.readBaseline([kept]);
    await mailbox.changeLabels([{ id: kept, added: [], removed: ['INBOX'] }], historyId);
    const [label = ''] = await readLabels(kept);
    expect(label).toMatch(/^mbx:/);
    await mailbox.changeLabels([{ id: kept, added: [], removed: [label] }], undefined);
    expect(await readLabels(kept)).toEqual([label]);
  });

  it('takes email into a mailbox that is gone, and loses it, which no change of ours does', async () => {
    const { deliver, inSession, mailbox, readLabels } = await openAccount();
    const [lost, kept, deleted] = [await deliver(archived), await deliver(archived), await deliver(archived)];
    // Here the mailboxes are remembered.
    await mailbox.listEmails({ scope: 'inbox', pageSize: 10 });
    const [bin, archive] = await inSession(async (session) => {
      const { idOf } = await readMailboxesNow(session);
      const [inbox, old, trash] = [idOf('inbox'), idOf('archive') ?? '', idOf('trash') ?? ''];
      const [made] = await session.change([setMailboxes({ create: { bin: { name: 'Bin' } } })]);
      const id = 'created' in made ? (made.created?.bin?.id ?? '') : '';
      await session.change([
        setMailboxes({ update: { [trash]: { role: null }, [id]: { role: 'trash' } }, destroy: [old] }),
      ]);
      const patch = { [`mailboxIds/${inbox}`]: null, [`mailboxIds/${old}`]: true };
      const moved = await session.change([setEmails({ update: { [lost]: patch } })]);
      expect(moved).toMatchObject([{ updated: { [lost]: null } }]);
      return [id, old];
    });
    expect(await readLabels(lost)).toEqual([]);

    const change = async (id: string, added: string[]) => {
      const { historyId, labels } = await mailbox.readBaseline([id]);
      const request = { id, added, removed: ['INBOX'], before: labels.get(id) };
      expect(await mailbox.changeLabels([request], historyId)).toMatchObject([{ status: 'ok' }]);
    };
    await change(kept, []);
    await change(deleted, ['TRASH']);
    expect(await readLabels(kept)).toEqual([expect.stringMatching(/^mbx:/)]);
    expect(await readLabels(kept)).not.toContain(`mbx:${archive}`);
    await inSession(async (session) => {
      const { emails } = await readPlaces(session, [deleted]);
      expect([...(emails.get(deleted)?.mailboxIds ?? [])]).toEqual([bin]);
    });
  });

  it('gives mailboxes the roles of what is no mail, which is left alone', async () => {
    const { call, deliver, mailbox, readLabels } = await openAccount();
    const roles = ['scheduled', 'memos', 'snoozed'];
    const { created } = await call<{ created: Record<string, { id: string }> }>('Mailbox/set', {
      create: Object.fromEntries(roles.map((role) => [role, { name: `Own ${role}`, role }])),
    });
    expect(Object.keys(created).toSorted()).toEqual(roles.toSorted());
    const { created: below } = await call<{ created: Record<string, { id: string }> }>('Mailbox/set', {
      create: { below: { name: 'Below', parentId: created.memos?.id } },
    });
    const mail = await deliver(archived);
    const hidden: string[] = [];
    for (const { id } of [...Object.values(created), ...Object.values(below)])
      hidden.push(await deliver({ ...archived, labels: [`mbx:${id}`, 'INBOX'] }));
    for (const scope of ['inbox', 'all'] as const) {
      expect((await mailbox.listEmails({ scope, pageSize: 10 })).emails).toMatchObject([{ id: mail }]);
      expect((await mailbox.listEmailIds({ scope }, 10)).emails).toMatchObject([{ id: mail }]);
    }
    expect(await mailbox.countEmails('all')).toBe(1);
    const { historyId, labels, noMail } = await mailbox.readBaseline(hidden);
    expect([...noMail]).toEqual(hidden);
    const requests = hidden.map((id) => ({
      id,
      added: ['TRASH'],
      removed: ['INBOX'],
      before: labels.get(id),
    }));
    expect(await mailbox.changeLabels(requests, historyId)).toMatchObject(
      hidden.map((id) => ({ id, status: 'error', isUnsure: false })),
    );
    for (const id of hidden) expect(new Set(await readLabels(id))).toEqual(new Set(labels.get(id)));
  });

  it('refuses an email that is in 20 mailboxes one more, and the others of a request are recorded and undone', async () => {
    const { call, fill, inSession, mailbox, readAll } = await openAccount();
    const { created } = await call<{ created: Record<string, { id: string }> }>('Mailbox/set', {
      create: Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [`own${index}`, { name: `Own ${index}` }]),
      ),
    });
    const [label = '', ...others] = Object.values(created).map(({ id }) => id);
    // Two calls, the first of which has emails that are refused.
    const ids = await fill(Array.from({ length: 300 }, () => ['$seen']));
    const refused = ids.slice(0, 5);
    const patch = Object.fromEntries(others.map((id) => [`mailboxIds/${id}`, true]));
    await inSession(({ change }) =>
      change([setEmails({ update: Object.fromEntries(refused.map((id) => [id, patch])) })]),
    );
    const before = await readAll();
    const change = { added: [`mbx:${label}`], removed: [] };
    const baseline = await mailbox.readBaseline(ids);
    const toRequests = (known: ReadonlyMap<string, string[]>, wanted: LabelChange) =>
      ids.map((id) => ({ id, ...wanted, before: known.get(id) }));
    const outcomes = await mailbox.changeLabels(toRequests(baseline.labels, change), baseline.historyId);
    expect(outcomes).toMatchObject(
      ids.map((id) =>
        refused.includes(id) ? { id, status: 'error', isUnsure: false } : { id, status: 'ok', change },
      ),
    );
    const made = await mailbox.readBaseline(ids);
    await mailbox.changeLabels(toRequests(made.labels, { added: [], removed: change.added }), made.historyId);
    expect(await readAll()).toEqual(before);
  });

  it('responds to a state that never was as if nothing had happened', async () => {
    const { mailbox } = await openAccount();
    const state = await mailbox.readHistoryId();
    expect(await mailbox.readChangesSince(String(Number(state) + 1_000))).toBeUndefined();
    expect(await mailbox.readChangesSince('none')).toBeUndefined();
  });

  it('is as its profile has it', async () => {
    const { mailbox, user, call } = await openAccount();
    const headers = { authorization: `Bearer ${cyrus.tokenOf(user)}` };
    const response = await fetch(cyrus.sessionUrl, { headers });
    const session = SessionResourceSchema.parse(await response.json());
    const profile = PROFILES.Cyrus;
    expect(session.capabilities[CORE]).toMatchObject(profile.limits ?? {});
    const { accounts } = SessionResourceSchema.pick({ accounts: true }).parse(profile.session);
    const withoutName = (all: typeof accounts) => Object.values(all).map((own) => ({ ...own, name: '' }));
    expect(withoutName(session.accounts)).toEqual(withoutName(accounts));
    const state = await mailbox.readHistoryId();
    expect(state).toMatch(/^\d+$/);
    const { created } = await call<{ created: { gone: { id: string } } }>('Mailbox/set', {
      create: { gone: { name: 'Gone' } },
    });
    expect(await mailbox.readHistoryId()).not.toBe(state);
    expect(await mailbox.readChangesSince(state)).toBeDefined();
    await call('Mailbox/set', { destroy: [created.gone.id] });
    expect(await mailbox.readChangesSince(state)).toBeUndefined();
  });

  it('has forgotten what changed before it cleaned up after destroyed emails', async () => {
    const { deliver, destroy, mailbox } = await openAccount();
    const state = await mailbox.readHistoryId();
    await destroy(await deliver(archived));
    expect(await mailbox.readChangesSince(state)).toBeDefined();
    await cyrus.forgetDestroyed();
    expect(await mailbox.readChangesSince(state)).toBeUndefined();
  });

  it('applies changes of two clients at once, each exactly once', async () => {
    const { deliver, mailbox, readLabels } = await openAccount();
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) ids.push(await deliver({ ...archived, subject: `${index}` }));
    const archive = async () => {
      const { historyId, labels } = await mailbox.readBaseline(ids);
      return await mailbox.changeLabels(
        ids.map((id) => ({ id, added: [], removed: ['INBOX'], before: labels.get(id) })),
        historyId,
      );
    };
    const outcomes = (await Promise.all([archive(), archive()])).flat();
    const applied = outcomes.filter(({ status }) => status === 'ok').length;
    const made = outcomes.filter((one) => one.status === 'ok' && one.change?.removed.includes('INBOX'));
    expect([applied, made.length]).toEqual([24, 12]);
    expect(new Set(made.map(({ id }) => id)).size).toBe(12);
    for (const id of ids) expect(await readLabels(id)).not.toContain('INBOX');
  });

  it('announces an event source that has nothing to tell', async () => {
    const { user } = await openAccount();
    const token = cyrus.tokenOf(user);
    const end = await listenToAccount({
      server: { sessionUrl: cyrus.sessionUrl },
      accessTokens: { current: async () => token, renew: async () => token },
      signal: new AbortController().signal,
      onChange: () => expect.unreachable(),
    });
    expect(end).toBe('unsupported');
  });

  it('refuses a token that is not its own', async () => {
    const accessTokens = { current: async () => 'none', renew: async () => 'none' };
    const mailbox = createJmapMailbox({ server: { sessionUrl: cyrus.sessionUrl }, accessTokens });
    await expect(mailbox.countInbox()).rejects.toMatchObject({ code: 'reauth_required' });
  });
});
