import { type CyrusAccount, findMissingCyrus, type Place } from '@mailsweep/mail/jmap/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { byForm, eventually, openRow } from './harness/campaign.ts';
import { explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { type JmapServer, startJmapServer } from './harness/jmap-server.ts';

/** More than one method call takes, so that a request has two that depend on each other. */
const EMAILS = byForm(300, 900);
const LABELLED = 6;
const SHIFT_CLOCK = new URL('./harness/shift-clock.ts', import.meta.url).href;

const row = openRow('R49');
const missing = findMissingCyrus();

describe.skipIf(missing !== undefined)(
  `R49 a cleanup at a JMAP server${missing ? ` (skipped: ${missing})` : ''}`,
  () => {
    it('whose worker is killed once the server has carried it out', async () => {
      const ada = await openUser();
      const held = jmap.holdNext('Email/set', async (request) => {
        await request.forward();
        await stack.worker.kill();
        request.drop();
      });
      const plan = await ada.startCleanup();
      await held;
      await restartWorker();
      await ada.expectCleaned(plan);
    });

    it('whose worker is killed, and whose request arrives after that', async () => {
      const ada = await openUser();
      const arrival = Promise.withResolvers<void>();
      const held = jmap.holdNext('Email/set', async (request) => {
        await stack.worker.kill();
        request.drop();
        await arrival.promise;
        await request.forward();
      });
      const plan = await ada.startCleanup();
      await eventually(() => expect(stack.worker.isRunning()).toBe(false));
      await restartWorker();
      await eventually(async () =>
        expect(await ada.readCleanup(plan)).toMatchObject({ error: 'in_progress' }),
      );
      arrival.resolve();
      await held;
      await ada.expectCleaned(plan);
    });

    it('whose worker is killed, and whose request never arrives', async () => {
      const ada = await openUser();
      const held = jmap.holdNext('Email/set', async (request) => {
        await stack.worker.kill();
        request.drop();
      });
      const plan = await ada.startCleanup();
      await held;
      await restartWorker({ NODE_OPTIONS: `--import=${SHIFT_CLOCK}?minutes=3` });
      await ada.expectCleaned(plan);
      await stack.worker.stop();
      await stack.worker.start();
    });

    it('whose server is killed between two calls of a request', async () => {
      const ada = await openUser();
      const held = jmap.holdNext('Email/set', async (request) => {
        await request.forward(1);
        await jmap.cyrus.kill();
        request.drop();
      });
      const plan = await ada.startCleanup();
      await held;
      await jmap.cyrus.restart();
      await ada.expectCleaned(plan);
    });

    it('that was planned in a state from which the server no longer knows what changed', async () => {
      const ada = await openUser();
      const plan = await ada.planCleanup();
      const [gone = ''] = ada.ids;
      await ada.account.destroy(gone);
      await jmap.cyrus.forgetDestroyed();
      await ada.runCleanup(plan);
      await ada.expectCleaned(plan, [[gone, undefined]]);
    });

    it('while another client deletes a mailbox, with which the server forgets all states', async () => {
      const ada = await openUser();
      const [archived, starred] = ada.ids.slice(LABELLED);
      const own = await ada.account.createLabel('Own');
      const plan = await ada.planCleanup();
      await ada.account.change(archived ?? '', { added: [own], removed: ['INBOX'] });
      await ada.account.change(starred ?? '', { added: ['STARRED'], removed: [] });
      const gone = (await ada.account.createLabel('Gone')).slice('mbx:'.length);
      await ada.account.call('Mailbox/set', { destroy: [gone] });
      await ada.runCleanup(plan);
      const keywords = (id = '') => ada.before.get(id)?.keywords ?? new Set<string>();
      await ada.expectCleaned(plan, [
        [archived, { mailboxIds: new Set([own.slice('mbx:'.length)]), keywords: keywords(archived) }],
        [
          starred,
          { mailboxIds: new Set([ada.inbox]), keywords: new Set([...keywords(starred), '$flagged']) },
        ],
      ]);
    });

    it('whose request arrives once it was undone', async () => {
      const ada = await openUser();
      const arrival = Promise.withResolvers<void>();
      const held = jmap.holdNext('Email/set', async (request) => {
        request.drop();
        await arrival.promise;
        await request.forward();
      });
      await ada.expectCleaned(await ada.startCleanup());
      arrival.resolve();
      await held;
      expect(findDifferences(await ada.account.readAll(), ada.before)).toEqual([]);
    });

    it('while another client changes emails of it', async () => {
      const ada = await openUser();
      const { account, before, ids, inbox } = ada;
      const [label = ''] = before.get(ids[0] ?? '')?.mailboxIds.difference(new Set([inbox])) ?? [];
      const [starred, moved, gone, starredLater, movedLater, goneLater, movedLast, planned] =
        ids.slice(LABELLED);
      const bills = `mbx:${label}`;
      const change = (id = '', added: string[] = [], removed: string[] = []) =>
        account.change(id, { added, removed });
      const plan = await ada.planCleanup();
      await change(planned, ['STARRED']);
      const held = jmap.holdNext('Email/set', async (request) => {
        await change(starred, ['STARRED']);
        await change(moved, [bills], ['INBOX']);
        await account.destroy(gone ?? '');
        await request.forward();
        request.respond();
      });
      await ada.runCleanup(plan);
      await held;
      // Nothing was done, for the state had changed. The second time all is done, and the response is lost.
      await jmap.holdNext('Email/set', async (request) => {
        await request.forward();
        const archive = await ada.readArchive(ids.at(-1) ?? '');
        await change(starredLater, ['STARRED']);
        await change(movedLater, [bills], [archive]);
        await account.destroy(goneLater ?? '');
        request.drop();
      });
      await ada.waitUntilCompleted(plan);
      await change(movedLast, [bills], [await ada.readArchive(ids.at(-1) ?? '')]);
      const keywords = (id = '') => before.get(id)?.keywords ?? new Set<string>();
      const flagged = (id = '') => ({
        mailboxIds: new Set([inbox]),
        keywords: new Set([...keywords(id), '$flagged']),
      });
      await ada.expectCleaned(plan, [
        [starred, flagged(starred)],
        [planned, flagged(planned)],
        [starredLater, flagged(starredLater)],
        [moved, { mailboxIds: new Set([label]), keywords: keywords(moved) }],
        [movedLater, { mailboxIds: new Set([label, inbox]), keywords: keywords(movedLater) }],
        [movedLast, { mailboxIds: new Set([label]), keywords: keywords(movedLast) }],
        [gone, undefined],
        [goneLater, undefined],
      ]);
    });

    it('whose API is killed once the server has undone it', async () => {
      const ada = await openUser();
      const plan = await ada.startCleanup();
      await ada.waitUntilCompleted(plan);
      const held = jmap.holdNext('Email/set', async (request) => {
        await request.forward();
        await stack.api.kill();
        request.drop();
      });
      await Promise.all([ada.undoCleanup(plan), held]);
      await endLeases();
      await stack.api.start();
      expect(findDifferences(await ada.account.readAll(), ada.before)).toEqual([]);
      await eventually(async () =>
        expect(await ada.undoCleanup(plan)).toMatchObject({ body: { undone: EMAILS } }),
      );
      expect(findDifferences(await ada.account.readAll(), ada.before)).toEqual([]);
    });

    const openUser = async () => {
      explainFailure(stack);
      row.ran();
      const account = await jmap.openAccount();
      const user = await stack.signInByToken('own', jmap.cyrus.tokenOf(account.user));
      const label = await account.createLabel('Bills 🧾');
      const ids = await account.fill(
        Array.from({ length: EMAILS }, (_, index) => [
          ...(index % 2 === 0 ? ['$seen'] : []),
          ...(index % 5 === 0 ? ['$forwarded', 'own-word'] : []),
        ]),
      );
      for (const id of ids.slice(0, LABELLED)) await account.change(id, { added: [label], removed: [] });
      const before = await account.readAll();
      const [inbox = ''] = before.get(ids.at(-1) ?? '')?.mailboxIds ?? [];
      return { account, before, ids, inbox, ...createActs({ account, before, inbox, user }) };
    };

    /** What a user does with a cleanup, and what has to come of it. */
    const createActs = ({ account, before, inbox, user }: Opened) => {
      const readCleanup = async (plan: string) => (await user.ask(`/api/v1/cleanups/${plan}`)).body;
      const planCleanup = async (): Promise<string> => {
        const json = { action: 'archive', selection: { type: 'filter', scope: 'inbox' } };
        const { status, body } = await user.ask('/api/v1/cleanups', { json });
        expect({ status, total: body.total }).toEqual({ status: 200, total: EMAILS });
        return body.id;
      };
      const runCleanup = async (plan: string) =>
        expect((await user.ask(`/api/v1/cleanups/${plan}/run`, { method: 'POST' })).status).toBe(200);
      const undoCleanup = (plan: string) => user.ask(`/api/v1/cleanups/${plan}/undo`, { method: 'POST' });
      const waitUntilCompleted = (plan: string) =>
        eventually(async () => expect(await readCleanup(plan)).toMatchObject({ state: 'completed' }), 60_000);
      const readRecords = () =>
        stack.query<{ emailId: string; change: { added: string[]; removed: string[] } }>(
          `SELECT "emailId", "details"->'labelChange' AS change FROM "ActionHistory" WHERE "userId" = $1`,
          [user.userId],
        );

      /**
       * Waits until a cleanup is over, and compares the mailbox with the records; then undoes it.
       *
       * @param foreign - where the emails are in the end that another client has changed
       */
      const expectCleaned = async (
        plan: string,
        foreign: readonly (readonly [string | undefined, Place | undefined])[] = [],
      ) => {
        await waitUntilCompleted(plan);
        const others = new Map(foreign.map(([id = '', place]) => [id, place]));
        const records = await readRecords();
        const own = records.filter(({ emailId }) => !others.has(emailId));
        row.doubled(records.length - new Set(records.map(({ emailId }) => emailId)).size);
        row.lost(before.size - others.size - own.length);
        expect(new Set(own.map(({ emailId }) => emailId))).toEqual(new Set(before.keys()).difference(others));
        expect(new Set(records.map(({ emailId }) => emailId)).size).toBe(records.length);
        const after = await account.readAll();
        for (const { emailId, change } of own) {
          const [then, now] = [before.get(emailId), after.get(emailId)];
          expect(now?.keywords).toEqual(then?.keywords);
          expect(now?.mailboxIds.has(inbox)).toBe(false);
          expect(now?.mailboxIds.size).toBe(1);
          expect(change).toEqual({
            added: then?.mailboxIds.size === 1 ? [expect.any(String)] : [],
            removed: ['INBOX'],
          });
        }
        await undoCleanup(plan);
        expect(findDifferences(await account.readAll(), new Map([...before, ...others]))).toEqual([]);
        const undone = await readCleanup(plan);
        expect(undone.undone).toBeGreaterThanOrEqual(EMAILS - others.size);
      };
      return {
        readCleanup,
        planCleanup,
        runCleanup,
        waitUntilCompleted,
        undoCleanup,
        expectCleaned,
        startCleanup: async (): Promise<string> => {
          const plan = await planCleanup();
          await runCleanup(plan);
          return plan;
        },
        /** The label of the mailbox that an archived email is in. */
        readArchive: async (id: string) =>
          (await account.readLabels(id)).find((one) => one.startsWith('mbx:')) ?? '',
      };
    };

    const describePlace = (place: Place | undefined) =>
      place && { mailboxes: [...place.mailboxIds].toSorted(), keywords: [...place.keywords].toSorted() };

    const findDifferences = (places: Places, expected: Places) =>
      [...new Set([...places.keys(), ...expected.keys()])]
        .map((id) => ({ id, is: describePlace(places.get(id)), shouldBe: describePlace(expected.get(id)) }))
        .filter(({ is, shouldBe }) => JSON.stringify(is) !== JSON.stringify(shouldBe));

    /** Ends what a dead process still holds, as time does. */
    const endLeases = async () => {
      for (const table of ['Cleanup', 'MailboxLease', 'ActionIntent'])
        await stack.query(
          `UPDATE "${table}" SET "leasedUntil" = now() - interval '1 min' WHERE "leasedUntil" IS NOT NULL`,
        );
    };

    const restartWorker = async (changes: Record<string, string> = {}) => {
      await endLeases();
      await stack.worker.start(changes);
    };

    /** Where emails are; those that are gone are nowhere. */
    type Places = ReadonlyMap<string, Place | undefined>;

    interface Opened {
      account: CyrusAccount;
      before: Places;
      inbox: string;
      user: User;
    }

    let jmap: JmapServer;
    let stack: FaultStack;
    beforeAll(async () => {
      jmap = await startJmapServer();
      stack = await startFaultStack({ hasWebhook: false, apiEnv: jmap.env, workerEnv: jmap.env });
    });
    afterAll(() => jmap?.close());
  },
);
