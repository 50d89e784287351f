import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import type { Mailbox } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { inboxMessages, setUpMailbox } from '../testing/test-mailbox.ts';

/** An email known to be in the inbox alone, to be archived. */
const archive = (id: string) => ({ id, added: [], removed: ['INBOX'], before: ['INBOX'] });

const ARCHIVED = { added: [], removed: ['INBOX'] };
const NOTHING = { added: [], removed: [] };

describe('checking earlier changes without anything cached', () => {
  it('reads the labels of each message, in the order asked for', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      messages: [
        { id: 'm0', labels: ['INBOX'] },
        { id: 'm1', labels: ['UNREAD', 'Label_7'] },
      ],
    });
    const changes = ['m1', 'm0'].map((id) => ({ id, change: ARCHIVED }));
    expect((await mailbox.checkChanges(changes)).statuses).toEqual([
      { id: 'm1', isReversible: true, labels: ['UNREAD', 'Label_7'] },
      { id: 'm0', isReversible: false, labels: ['INBOX'] },
    ]);
    expect(gmail.requests.map(({ query }) => query.get('format'))).toEqual([null, 'minimal', 'minimal']);
  });

  it('reads a message without any label', async () => {
    const { mailbox, gmail } = await setUpMailbox();
    gmail.intercept(({ path }) => (path.endsWith('/m0') ? { body: { id: 'm0' } } : undefined));
    const { statuses } = await mailbox.checkChanges([{ id: 'm0', change: ARCHIVED }]);
    expect(statuses).toEqual([{ id: 'm0', isReversible: true, labels: [] }]);
  });

  it('reports a missing message by its own status', async () => {
    const { mailbox } = await setUpMailbox({ messages: inboxMessages(1) });
    const changes = ['gone', 'm0', '..'].map((id) => ({ id, change: ARCHIVED }));
    expect((await mailbox.checkChanges(changes)).statuses).toEqual([
      { id: 'gone', error: expect.objectContaining({ code: 'not_found' }) },
      { id: 'm0', isReversible: false, labels: ['INBOX'] },
      { id: '..', error: expect.objectContaining({ code: 'not_found' }) },
    ]);
  });

  it('asks the history for the place of a change, at the price of one call for all', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(300) });
    const archived = await mailbox.changeLabels(
      inboxMessages(300).map(({ id }) => ({ id, ...ARCHIVED })),
      undefined,
    );
    await gmail.change('m7', { added: ['INBOX'] });
    await gmail.change('m8', { added: ['STARRED'] });
    await gmail.remove('m9');
    gmail.requests.length = 0;
    const made = archived.map((outcome) => {
      expect(outcome).toMatchObject({ status: 'ok', change: ARCHIVED });
      return {
        id: outcome.id,
        change: ARCHIVED,
        historyId: 'historyId' in outcome ? outcome.historyId : undefined,
      };
    });
    const { statuses } = await mailbox.checkChanges(made);
    expect(statuses.filter((status) => !('isReversible' in status && status.isReversible))).toEqual([
      { id: 'm7', isReversible: false },
      { id: 'm9', error: expect.objectContaining({ code: 'not_found' }) },
    ]);
    expect(gmail.units()).toBe(3);
  });
});

describe('changing labels', () => {
  it('puts on and takes off exactly the labels planned', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(2) });
    const trash = { added: ['TRASH'], removed: ['INBOX'] };
    expect(
      await mailbox.changeLabels([{ id: 'm0', ...trash, before: ['INBOX'] }, archive('m1')], '1'),
    ).toMatchObject([
      { id: 'm0', status: 'ok', change: trash },
      { id: 'm1', status: 'ok', change: ARCHIVED },
    ]);
    expect(gmail.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      [
        'POST',
        '/gmail/v1/users/me/messages/m0/modify',
        { addLabelIds: ['TRASH'], removeLabelIds: ['INBOX'] },
      ],
      ['POST', '/gmail/v1/users/me/messages/m1/modify', { addLabelIds: [], removeLabelIds: ['INBOX'] }],
    ]);
    expect(gmail.messages.map(({ labels }) => labels)).toEqual([['TRASH'], []]);
  });

  it('makes no call for a change that changes nothing', async () => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(1) });
    expect(await mailbox.changeLabels([{ id: 'm0', added: [], removed: [] }], '1')).toEqual([
      { id: 'm0', status: 'ok', change: NOTHING },
    ]);
    expect(gmail.requests).toEqual([]);
  });

  it('reports unknown messages one by one while the others succeed, in the order of the request', async () => {
    const { mailbox } = await setUpMailbox({ messages: inboxMessages(10) });
    const ids = ['m0', 'x1', 'm1', 'm2', 'x2', 'm3', 'm4', 'm5', 'x3', 'm6'];
    const outcomes = await mailbox.changeLabels(ids.map(archive), '1');
    expect(outcomes.map(({ id }) => id)).toEqual(ids);
    expect(outcomes.filter(({ status }) => status === 'ok')).toHaveLength(7);
    expect(outcomes.flatMap((outcome) => ('error' in outcome ? outcome.error.code : []))).toEqual([
      'not_found',
      'not_found',
      'not_found',
    ]);
  });

  it('takes an id that Gmail calls invalid for one of no message', async () => {
    const { mailbox, gmail } = await setUpMailbox();
    gmail.intercept(() => refusal(400, 'invalidArgument', 'Invalid id value'));
    expect(await mailbox.changeLabels([archive('zzz')], '1')).toMatchObject([
      { error: { code: 'not_found' } },
    ]);
  });

  it('reports a label that Gmail refuses as a permanent failure', async () => {
    const { mailbox, gmail } = await setUpMailbox();
    gmail.intercept(() => refusal(400, 'invalidArgument', 'Invalid label: nope'));
    expect(await mailbox.changeLabels([archive('m0')], '1')).toMatchObject([{ error: { code: 'failed' } }]);
  });

  it.each([['labelId not found'], ['Invalid label: Label_7']])(
    'says that a label to put on is gone: %s',
    async (message) => {
      const { mailbox, gmail } = await setUpMailbox();
      gmail.intercept(() => refusal(400, 'invalidArgument', message));
      const label = { id: 'm0', added: ['Label_7'], removed: [], before: ['INBOX'] };
      expect(await mailbox.changeLabels([label], '1')).toMatchObject([{ error: { code: 'label_gone' } }]);
    },
  );

  it.each([[1], [300]])('takes a label that is gone for taken off, of %i messages', async (count) => {
    const { mailbox, gmail } = await setUpMailbox({ messages: inboxMessages(count) });
    gmail.intercept(({ method }) =>
      method === 'POST' ? refusal(400, 'invalidArgument', 'labelId not found') : undefined,
    );
    const changes = inboxMessages(count).map(({ id }) => ({ id, added: [], removed: ['Label_7'] }));
    expect(await mailbox.changeLabels(changes, '1')).toEqual(
      changes.map(({ id }) => ({ id, status: 'ok', change: NOTHING })),
    );
    expect(gmail.requests).toHaveLength(1);
  });

  it('sends ids as one path segment, whatever they hold', async () => {
    const id = 'a/b?c=d&e#f%2F..';
    const { mailbox, gmail } = await setUpMailbox({ messages: [{ id, labels: ['INBOX'] }] });
    expect(await mailbox.changeLabels([archive(id)], '1')).toMatchObject([
      { id, status: 'ok', change: ARCHIVED },
    ]);
    expect(gmail.requests[0]?.path).toBe(`/gmail/v1/users/me/messages/${encodeURIComponent(id)}/modify`);
  });

  it.each(['', '.', '..'])('never sends the id %j, which would address something else', async (id) => {
    const { mailbox, gmail } = await setUpMailbox();
    expect(await mailbox.changeLabels([archive(id)], '1')).toMatchObject([
      { id, error: { code: 'not_found' } },
    ]);
    expect(gmail.requests).toEqual([]);
  });
});

describe('finding or creating labels', () => {
  it('finds a label by its name, as Gmail does without regard to case', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      labels: [{ id: 'Label_9', name: 'mailsweep/Bulk' }],
    });
    expect(await find(mailbox, 'Mailsweep/bulk')).toEqual(['Label_9']);
    expect(gmail.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('creates labels when they are missing, and finds them the next time', async () => {
    const { mailbox, gmail } = await setUpMailbox();
    const ids = await find(mailbox, 'Mailsweep/bulk', 'Mailsweep/old', 'Mailsweep/BULK');
    expect(gmail.labels.map(({ name }) => name)).toEqual(['Mailsweep', 'Mailsweep/bulk', 'Mailsweep/old']);
    const [, bulk, old] = gmail.labels.map(({ id }) => id);
    expect(ids).toEqual([bulk, old, bulk]);
    expect(await find(mailbox, 'Mailsweep/old', 'Mailsweep/bulk')).toEqual([old, bulk]);
    expect(gmail.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST', 'GET']);
  });

  it('creates no parent that exists, or that Gmail refuses', async () => {
    const { mailbox, gmail } = await setUpMailbox({ labels: [PARENT] });
    await find(mailbox, 'Mailsweep/bulk');
    expect(gmail.labels.map(({ name }) => name)).toEqual(['mailsweep', 'Mailsweep/bulk']);
    const other = await setUpMailbox();
    other.gmail.intercept(({ body }) =>
      (body as { name?: string } | undefined)?.name === 'Mailsweep'
        ? refusal(400, 'invalidArgument', 'Invalid label name')
        : undefined,
    );
    const ids = await find(other.mailbox, 'Mailsweep/bulk', 'Mailsweep/old');
    expect(other.gmail.labels).toEqual([
      { id: ids[0], name: 'Mailsweep/bulk' },
      { id: ids[1], name: 'Mailsweep/old' },
    ]);
  });

  it('creates every parent that is missing, once, as far as they are not too many', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      labels: [{ id: 'Label_home', name: 'home' }],
    });
    await find(mailbox, 'Home/Bills/Power', 'Home/Bills/Water');
    expect(gmail.labels.map(({ name }) => name)).toEqual([
      'home',
      'Home/Bills',
      'Home/Bills/Power',
      'Home/Bills/Water',
    ]);
    const deep = 'abcdefghijklmno'.split('').join('/');
    expect(await find(mailbox, deep)).toEqual([expect.stringMatching(/^Label_/)]);
    expect(gmail.labels).toHaveLength(4 + 10 + 1);
  });

  it('takes the label whose name Gmail says conflicts, though it is written otherwise', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      labels: [PARENT, { id: 'Label_7', name: 'Mailsweep bulk-mail' }],
    });
    gmail.intercept(({ method }) =>
      method === 'POST' ? refusal(409, 'aborted', 'Label name exists or conflicts') : undefined,
    );
    expect(await find(mailbox, 'Mailsweep/Bulk mail', 'Mailsweep/bulkmail')).toEqual([
      'Label_7',
      'label_refused',
    ]);
    expect(await find(mailbox, ' Mailsweep - Bulk  mail.')).toEqual(['Label_7']);
  });

  it('creates no more than a call may, however many it is asked for', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      labels: [PARENT, { id: 'Label_known', name: 'Mailsweep/50' }],
    });
    const names = Array.from({ length: 300 }, (_, index) => `Mailsweep/${index}`);
    const ids = await find(mailbox, ...names);
    expect(ids.flatMap((id, index) => (id === 'too_many_labels' ? [] : index))).toEqual([0, 1, 2, 50]);
    expect(gmail.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST', 'POST']);
  });

  it('creates none beyond the total, and does not count labels of other names', async () => {
    const { mailbox, gmail } = await setUpMailbox({
      labels: [
        ...[1, 2, 3].map((id) => ({ id: `Label_${id}`, name: `mailsweep/${id}` })),
        { id: 'Label_own', name: 'Own' },
        PARENT,
      ],
    });
    const ids = await find(mailbox, 'Mailsweep/a', 'Mailsweep/1', 'Mailsweep/b');
    expect(ids).toEqual([expect.stringMatching(/^Label_/), 'Label_1', 'too_many_labels']);
    expect(gmail.labels).toHaveLength(6);
  });

  it('does not take a system label for one of the user', async () => {
    const { mailbox } = await setUpMailbox();
    expect(await find(mailbox, 'Important')).toEqual(['label_refused']);
  });

  it('looks again, once, when Gmail refuses, as another client may have created them', async () => {
    const { mailbox, gmail } = await setUpMailbox({ labels: [PARENT] });
    let madeElsewhere: string | undefined;
    gmail.intercept(async ({ method }) => {
      if (method !== 'POST') return undefined;
      madeElsewhere ??= await gmail.createLabel('Mailsweep/bulk');
      return refusal(400, 'invalidArgument', 'Invalid label name');
    });
    expect(await find(mailbox, 'Mailsweep/bad', 'Mailsweep/bulk', 'Mailsweep/worse')).toEqual([
      'label_refused',
      madeElsewhere,
      'label_refused',
    ]);
    expect(gmail.requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET', 'POST']);
  });

  it('asks for no more labels after an error', async () => {
    const { mailbox, gmail } = await setUpMailbox();
    gmail.intercept(({ method }) => (method === 'POST' ? refusal(403, 'forbidden', 'No') : undefined));
    const names = ['a/b/c', 'a/b', 'd', 'e', 'f'];
    expect(await find(mailbox, ...names)).toEqual(names.map(() => 'forbidden'));
    expect(gmail.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('keeps what it has found when it cannot look again', async () => {
    const { mailbox, gmail } = await setUpMailbox({ labels: [PARENT] });
    let isListed = false;
    gmail.intercept(({ method, body }) => {
      if ((body as { name?: string } | undefined)?.name === 'Mailsweep/bad')
        return refusal(400, 'invalidArgument', 'Invalid label name');
      if (method === 'GET' && isListed) return refusal(403, 'forbidden', 'No');
      isListed = true;
      return undefined;
    });
    const ids = await find(mailbox, 'Mailsweep/new', 'Mailsweep/bad', 'Mailsweep/worse', 'Mailsweep');
    expect(ids).toEqual([expect.stringMatching(/^Label_/), 'forbidden', 'forbidden', PARENT.id]);
  });

  it('gives many callers at once the same label', async () => {
    const { mailbox, gmail } = await setUpMailbox();
    const ids = await Promise.all(Array.from({ length: 8 }, () => find(mailbox, 'Mailsweep/bulk')));
    expect(gmail.labels.map(({ name }) => name)).toEqual(['Mailsweep', 'Mailsweep/bulk']);
    expect(new Set(ids.flat())).toEqual(new Set([gmail.labels[1]?.id]));
  });
});

const PARENT = { id: 'Label_parent', name: 'mailsweep' };

const find = async (mailbox: Mailbox, ...names: string[]) => {
  const limits = { perCall: 3, inTotal: 4, prefix: 'Mailsweep/' };
  const found = [...(await mailbox.findOrCreateLabels(names, limits)).values()];
  return found.map((label) => ('id' in label ? label.id : label.reason));
};
