import type { LabelChange } from '@mailsweep/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { NO_CHANGE } from '../label-change.ts';
import { SYSTEM_LABELS } from '../labels.ts';
import { InvalidPageTokenError, type Mailbox, type MailboxChanges } from '../mailbox.ts';

const { inbox, trash, unread, starred, sent, draft } = SYSTEM_LABELS;
const FIRST_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;

/** An email that a test puts into a mailbox. */
export interface DeliveredEmail {
  labels: string[];
  receivedAt: Date;
  subject: string;
  from: string;
  /** The email that it is a reply to. */
  replyTo?: string | undefined;
}

/** A mailbox of a provider, and another client of the same account. */
export interface ContractServer {
  mailbox: Mailbox;
  /** Puts an email into the mailbox; resolves with its id once lists show it. */
  deliver(email: DeliveredEmail): Promise<string>;
  /** Changes labels as another client does. */
  change(id: string, change: LabelChange): Promise<void>;
  /** Deletes an email for good, as another client does. */
  destroy(id: string): Promise<void>;
  /** All labels that an email has at the server. */
  readLabels(id: string): Promise<string[]>;
  createLabel(name: string): Promise<string>;
  deleteLabel?(id: string): Promise<void>;
}

/**
 * What every implementation of `Mailbox` does, whatever the provider.
 *
 * @param openServer - a server with an empty mailbox, for one test
 */
export const describeMailboxContract = (name: string, openServer: () => Promise<ContractServer>): void => {
  describe(`the contract of a mailbox, by ${name}`, () => {
    let server: ContractServer;
    let mailbox: Mailbox;
    beforeEach(async () => {
      server = await openServer();
      mailbox = server.mailbox;
    });

    /** Emails of the inbox, the first one the newest; of each the labels that it has besides. */
    const deliver = async (count: number, labels: string[] = [], fields: Partial<DeliveredEmail> = {}) => {
      const ids: string[] = [];
      for (let index = count - 1; index >= 0; index -= 1) {
        const receivedAt = new Date(FIRST_MS - index * HOUR_MS);
        const email = { subject: `Subject ${index}`, from: 'News <news@shop.example>', receivedAt };
        ids.unshift(await server.deliver({ ...email, labels: [inbox, ...labels], ...fields }));
      }
      return ids;
    };
    const deliverOne = async (labels: string[] = [], fields: Partial<DeliveredEmail> = {}) => {
      const [id = ''] = await deliver(1, labels, fields);
      return id;
    };
    const labelsOf = async (id: string) => new Set(await server.readLabels(id));

    /** Changes one email as an action does, with the labels that were known before. */
    const act = async (id: string, change: LabelChange, isKnown = true) => {
      const baseline = await mailbox.readBaseline([id]);
      const before = isKnown ? baseline.labels.get(id) : undefined;
      const [outcome] = await mailbox.changeLabels([{ id, ...change, before }], baseline.historyId);
      return outcome;
    };
    /** Reverses what an action did. */
    const undo = async (id: string, outcome: Awaited<ReturnType<typeof act>>) => {
      if (outcome?.status !== 'ok' || outcome.change === undefined) throw new Error('nothing was recorded');
      return await act(id, { added: outcome.change.removed, removed: outcome.change.added });
    };

    describe('a list', () => {
      it('shows the newest email first, page by page, each once', async () => {
        const ids = await deliver(7);
        const seen: string[] = [];
        let pageToken: string | undefined;
        do {
          const page = await mailbox.listEmails({ scope: 'inbox', pageSize: 3, pageToken });
          seen.push(...page.emails.map(({ id }) => id));
          expect(page.total).toBe(seen.length);
          pageToken = page.nextPageToken ?? undefined;
          expect(page.totalIsExact).toBe(pageToken === undefined);
        } while (pageToken !== undefined);
        expect(seen).toEqual(ids);
      });

      it('shows what an email is', async () => {
        const id = await deliverOne([unread, starred], {
          subject: 'Grüße 🎉',
          from: 'Bob <bob@example.com>',
        });
        const page = await mailbox.listEmails({ scope: 'inbox', pageSize: 10 });
        expect(page).toMatchObject({
          emails: [
            {
              id,
              from: 'Bob <bob@example.com>',
              subject: 'Grüße 🎉',
              date: new Date(FIRST_MS).toISOString(),
              isRead: false,
              hasAttachment: false,
              attachmentSizeMb: 0,
              category: 'primary',
              labels: expect.arrayContaining([inbox, unread, starred]),
            },
          ],
          nextPageToken: null,
          total: 1,
        });
        expect(await mailbox.findEmails([id, 'gone'])).toEqual(page.emails);
      });

      it('leaves out what its filters exclude', async () => {
        const [newest = '', read = ''] = await deliver(2);
        await server.change(newest, { added: [unread], removed: [] });
        const archived = await deliverOne();
        await server.change(archived, { added: [], removed: [inbox] });
        const deleted = await deliverOne();
        await server.change(deleted, { added: [trash], removed: [inbox] });
        const list = async (query: Partial<Parameters<Mailbox['listEmails']>[0]>) => {
          const { emails } = await mailbox.listEmails({ scope: 'inbox', pageSize: 50, ...query });
          return emails.map(({ id }) => id).toSorted();
        };
        expect(await list({})).toEqual([newest, read].toSorted());
        expect(await list({ unread: true })).toEqual([newest]);
        expect(await list({ scope: 'all' })).toEqual([newest, read, archived].toSorted());
        expect(await list({ receivedBefore: new Date(FIRST_MS) })).toEqual([read]);
        expect(await list({ receivedAfter: new Date(FIRST_MS) })).toEqual([newest]);
        expect(await list({ category: 'promotions' })).toEqual([]);
      });

      it('skips no email and shows none twice while its emails are archived', async () => {
        const ids = await deliver(12);
        const seen: string[] = [];
        let pageToken: string | undefined;
        do {
          const page = await mailbox.listEmails({ scope: 'all', pageSize: 4, pageToken });
          const shown = page.emails.map(({ id }) => id);
          seen.push(...shown);
          for (const id of shown) await act(id, { added: [], removed: [inbox] });
          pageToken = page.nextPageToken ?? undefined;
        } while (pageToken !== undefined);
        expect(seen).toEqual(ids);
      });

      it('refuses a page token that is none', async () => {
        await deliver(2);
        const list = mailbox.listEmails({ scope: 'inbox', pageSize: 1, pageToken: '1.nonsense' });
        await expect(list).rejects.toThrow(InvalidPageTokenError);
      });

      it('tells all ids of a query, and whether there are more', async () => {
        const ids = await deliver(5);
        const all = await mailbox.listEmailIds({ scope: 'inbox' }, 100);
        expect(all.emails.map(({ id }) => id)).toEqual(ids);
        expect(all.isComplete).toBe(true);
        const first = await mailbox.listEmailIds({ scope: 'inbox' }, 2);
        expect(first.emails.map(({ id }) => id)).toEqual(ids.slice(0, 2));
        expect(first.isComplete).toBe(false);
        await server.change(ids[3] ?? '', { added: [starred], removed: [] });
        const marked = await mailbox.listEmailIds({ scope: 'inbox', labelled: 'starred' }, 100);
        expect(marked.emails.map(({ id }) => id)).toEqual([ids[3]]);
      });
    });

    it('counts the emails of the inbox, and the unread ones', async () => {
      const [newest = ''] = await deliver(3);
      await server.change(newest, { added: [unread], removed: [] });
      const archived = await deliverOne();
      await server.change(archived, { added: [], removed: [inbox] });
      expect(await mailbox.countInbox()).toEqual({ total: 3, unread: 1 });
      expect(await mailbox.countMailbox()).toMatchObject({ inbox: { total: 3, unread: 1 } });
      expect(await mailbox.countEmails('inbox')).toBe(3);
    });

    it('reads a conversation, newest first', async () => {
      const question = await deliverOne();
      const reply = await deliverOne([], { replyTo: question, receivedAt: new Date(FIRST_MS + HOUR_MS) });
      const archived = await deliverOne([], { replyTo: question });
      await server.change(archived, { added: [], removed: [inbox] });
      const [email] = await mailbox.findEmails([question]);
      const conversation = await mailbox.readConversation(email?.threadId ?? '');
      expect(conversation.emails.map(({ id }) => id)).toEqual([reply, question]);
      expect(conversation.otherMessages).toBe(1);
      await expect(mailbox.readConversation('none')).rejects.toMatchObject({ code: 'not_found' });
    });

    describe('an action', () => {
      const ACTIONS: [string, LabelChange][] = [
        ['archive', { added: [], removed: [inbox] }],
        ['delete', { added: [trash], removed: [inbox] }],
        ['mark read', { added: [], removed: [unread] }],
        ['star', { added: [starred], removed: [] }],
      ];

      it.each(ACTIONS)('%s has its effect, and undo restores every label', async (_, change) => {
        const label = await server.createLabel('Bills');
        const id = await deliverOne([unread, label]);
        const before = await labelsOf(id);
        for (const isKnown of [true, false]) {
          const outcome = await act(id, change, isKnown);
          const after = await labelsOf(id);
          expect(outcome).toMatchObject({ id, status: 'ok' });
          expect(change.added.every((one) => after.has(one))).toBe(true);
          expect(change.removed.some((one) => after.has(one))).toBe(false);
          const status = outcome?.status === 'ok' && outcome.change;
          if (!status) throw new Error('nothing was recorded');
          const { statuses } = await mailbox.checkChanges([{ id, change: status }]);
          expect(statuses).toMatchObject([{ id, isInEffect: true }]);
          await undo(id, outcome);
          expect(await labelsOf(id)).toEqual(before);
        }
      });

      it('records what it changed alone', async () => {
        const id = await deliverOne();
        const read = await act(id, { added: [], removed: [unread, inbox] });
        expect(read).toMatchObject({ status: 'ok', change: { removed: [inbox] } });
        const again = await act(id, { added: [], removed: [inbox] });
        expect(again).toMatchObject({ status: 'ok', change: NO_CHANGE });
      });

      it('of many emails at once reports each, in their order', async () => {
        const ids = await deliver(25);
        await server.change(ids[7] ?? '', { added: [starred], removed: [inbox] });
        await server.destroy(ids[9] ?? '');
        const baseline = await mailbox.readBaseline(ids);
        const changes = ids.map((id) => ({
          id,
          added: [],
          removed: [inbox],
          before: baseline.labels.get(id),
        }));
        const outcomes = await mailbox.changeLabels(changes, baseline.historyId);
        expect(outcomes.map(({ id }) => id)).toEqual(ids);
        const kinds = outcomes.map((outcome) =>
          outcome.status === 'error' ? outcome.error.code : outcome.change?.removed.length,
        );
        expect(kinds).toEqual(ids.map((_, index) => (index === 7 ? 0 : index === 9 ? 'not_found' : 1)));
        for (const [index, id] of ids.entries()) {
          if (index !== 9) expect((await labelsOf(id)).has(inbox)).toBe(false);
        }
        expect((await labelsOf(ids[7] ?? '')).has(starred)).toBe(true);
      });

      it('never reverses what another client did, before or after', async () => {
        const id = await deliverOne([unread]);
        const baseline = await mailbox.readBaseline([id]);
        await server.change(id, { added: [starred], removed: [unread] });
        const change = { added: [], removed: [inbox, unread] };
        const before = baseline.labels.get(id);
        const [outcome] = await mailbox.changeLabels([{ id, ...change, before }], baseline.historyId);
        expect(outcome).toMatchObject({ status: 'ok', change: { removed: [inbox] } });
        await undo(id, outcome);
        const labels = await labelsOf(id);
        expect([labels.has(inbox), labels.has(starred), labels.has(unread)]).toEqual([true, true, false]);
      });

      it('is no longer in effect once another client has reversed it', async () => {
        const id = await deliverOne();
        const outcome = await act(id, { added: [], removed: [inbox] });
        await server.change(id, { added: [inbox], removed: [] });
        if (outcome?.status !== 'ok' || !outcome.change) throw new Error('nothing was recorded');
        const { statuses } = await mailbox.checkChanges([{ ...outcome, id, change: outcome.change }]);
        expect(statuses).toMatchObject([{ id, isInEffect: false }]);
      });

      it('does not touch drafts', async () => {
        const id = await deliverOne([draft]);
        const baseline = await mailbox.readBaseline([id]);
        expect([...baseline.noMail]).toEqual([id]);
        expect(await mailbox.findEmails([id])).toEqual([]);
      });
    });

    describe('what became of a change', () => {
      it('is found later: it was made, or it was not', async () => {
        const [made = '', unmade = '', foreign = ''] = await deliver(3);
        const { historyId } = await mailbox.readBaseline([made, unmade, foreign]);
        const change = { added: [], removed: [inbox] };
        await mailbox.changeLabels([{ id: made, ...change, before: [inbox] }], historyId);
        await server.change(foreign, { added: [starred], removed: [] });
        const requests = [made, unmade, foreign].map((id) => ({ id, ...change, before: [inbox] }));
        const outcomes = await mailbox.findChanges(requests, historyId, 10 * 60_000);
        expect(outcomes).toMatchObject([
          { id: made, status: 'ok', change: { removed: [inbox] } },
          { id: unmade, status: 'error', isUnsure: false },
          { id: foreign, status: 'error', isUnsure: false },
        ]);
      });
    });

    describe('what happened since a point of the history', () => {
      const readSince = async (historyId: string, known: ReadonlyMap<string, readonly string[]>) => {
        const changes = await mailbox.readChangesSince(historyId, async () => known);
        expect(changes).toBeDefined();
        return changes as MailboxChanges;
      };

      it('tells which labels came and went, and which emails were deleted', async () => {
        const [moved = '', marked = '', gone = '', untouched = ''] = await deliver(4);
        const before = await mailbox.readBaseline([moved, marked, gone, untouched]);
        await server.change(moved, { added: [], removed: [inbox] });
        await server.change(marked, { added: [starred], removed: [] });
        await server.destroy(gone);
        const { messages, historyId } = await readSince(before.historyId, before.labels);
        expect([...(messages.get(moved)?.removed ?? [])]).toEqual([inbox]);
        expect([...(messages.get(marked)?.added ?? [])]).toEqual([starred]);
        expect(messages.get(marked)?.removed.size).toBe(0);
        expect(messages.get(gone)?.isDeleted).toBe(true);
        expect(messages.has(untouched)).toBe(false);
        const later = await readSince(historyId, before.labels);
        expect([later.messages.size, later.arrivedIds]).toEqual([0, []]);
      });

      it('tells what arrived in the inbox, oldest first, and which conversations were answered', async () => {
        const question = await deliverOne();
        const historyId = await mailbox.readHistoryId();
        const first = await deliverOne([], { receivedAt: new Date(FIRST_MS + HOUR_MS) });
        const second = await deliverOne([], { receivedAt: new Date(FIRST_MS + 2 * HOUR_MS) });
        const receivedAt = new Date(FIRST_MS + 3 * HOUR_MS);
        await server.deliver({
          labels: [sent],
          subject: 'Re: Subject 0',
          from: 'Ada <ada@example.com>',
          receivedAt,
          replyTo: question,
        });
        const [email] = await mailbox.findEmails([question]);
        const { arrivedIds, answeredThreads } = await readSince(historyId, new Map());
        expect(arrivedIds).toEqual([first, second]);
        expect([...answeredThreads]).toEqual([email?.threadId]);
      });
    });

    it('finds labels by their names, creates missing ones, and no more than the limits allow', async () => {
      const own = await server.createLabel('Receipts');
      const limits = { perCall: 1, inTotal: 10, prefix: 'Mailsweep/' };
      const found = await mailbox.findOrCreateLabels(
        ['Receipts', 'Mailsweep/news', 'Mailsweep/more'],
        limits,
      );
      expect(found.get('Receipts')).toEqual({ id: own });
      expect(found.get('Mailsweep/more')).toHaveProperty('reason');
      const created = found.get('Mailsweep/news');
      if (created === undefined || !('id' in created)) throw new Error('the label was not created');
      const again = await mailbox.findOrCreateLabels(['mailsweep/News'], limits);
      expect(again.get('mailsweep/News')).toEqual(created);
      const id = await deliverOne();
      const outcome = await act(id, { added: [created.id], removed: [inbox] });
      expect(await labelsOf(id)).toEqual(new Set([created.id]));
      await undo(id, outcome);
      expect(await labelsOf(id)).toEqual(new Set([inbox]));
    });
  });
};
