import type { LabelLimits, Mailbox } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { setUpMailbox } from '../testing/test-mailbox.ts';

const LIMITS: LabelLimits = { perCall: 3, inTotal: 10, prefix: 'Mailsweep/' };

const find = async (mailbox: Mailbox, names: readonly string[], limits: Partial<LabelLimits> = {}) => {
  const found = await mailbox.findOrCreateLabels(names, { ...LIMITS, ...limits });
  return names.map((name) => {
    const label = found.get(name);
    return label !== undefined && 'id' in label ? label.id : label?.reason;
  });
};

const setUp = async () => {
  const { mailbox, server } = await setUpMailbox();
  /** The names of the mailboxes without a role, outermost first. */
  const pathsOf = () => {
    const pathOf = (id: string): string => {
      const { name = '', parentId } = server.mailboxes.get(id) ?? {};
      return parentId == null ? name : `${pathOf(parentId)} > ${name}`;
    };
    return [...server.mailboxes.values()].filter(({ role }) => role === null).map(({ id }) => pathOf(id));
  };
  const creations = () => server.methodsCalled().filter(([name]) => name === 'Mailbox/set').length;
  return { mailbox, server, pathsOf, creations };
};

describe('labels that are missing', () => {
  it('are created below their parents, once, and found the next time in whatever case', async () => {
    const { mailbox, pathsOf, creations } = await setUp();
    const [bulk, old, again] = await find(mailbox, ['Mailsweep/bulk', 'Mailsweep/old', 'Mailsweep/BULK']);
    expect(pathsOf()).toEqual(['Mailsweep', 'Mailsweep > bulk', 'Mailsweep > old']);
    expect(again).toBe(bulk);
    expect(await find(mailbox, ['MAILSWEEP/old', 'mailsweep/bulk'])).toEqual([old, bulk]);
    expect(creations()).toBe(3);
  });

  it('are created below every parent that is missing', async () => {
    const { mailbox, pathsOf } = await setUp();
    await find(mailbox, ['Home/Bills/Power', 'Home/Bills/Water']);
    expect(pathsOf()).toEqual(['Home', 'Home > Bills', 'Home > Bills > Power', 'Home > Bills > Water']);
  });

  it('are created under their whole names below parents that are too many', async () => {
    const { mailbox, server, creations } = await setUp();
    const name = 'abcdefghijklmno'.split('').join('/');
    const [id] = await find(mailbox, [name]);
    expect(server.mailboxes.get(id?.replace('mbx:', '') ?? '')).toMatchObject({ name, parentId: null });
    expect(creations()).toBe(10 + 1);
  });

  it('are created no more than a call may, however many it is asked for', async () => {
    const { mailbox, server } = await setUp();
    const parent = server.addMailbox({ name: 'Mailsweep' });
    const known = server.addMailbox({ name: '7', parentId: parent.id });
    const names = Array.from({ length: 9 }, (_, index) => `Mailsweep/${index}`);
    const ids = await find(mailbox, names);
    expect(ids.flatMap((id, index) => (id === 'too_many_labels' ? [] : index))).toEqual([0, 1, 2, 7]);
    expect(ids[7]).toBe(`mbx:${known.id}`);
  });

  it('are not created beyond the total, in which mailboxes of other names do not count', async () => {
    const { mailbox, server } = await setUp();
    const parent = server.addMailbox({ name: 'mailsweep' });
    server.addMailbox({ name: 'known', parentId: parent.id });
    server.addMailbox({ name: 'Bills' });
    const names = ['Mailsweep/a', 'Mailsweep/KNOWN', 'Mailsweep/b'];
    const ids = await find(mailbox, names, { inTotal: 2 });
    expect(ids).toEqual([expect.stringMatching(/^mbx:/), expect.stringMatching(/^mbx:/), 'too_many_labels']);
  });

  it('are those of another client that was faster', async () => {
    const { mailbox, server } = await setUp();
    let id = '';
    server.beforeMethod((name) => {
      if (name === 'Mailbox/set' && id === '') ({ id } = server.addMailbox({ name: 'Bills' }));
      return undefined;
    });
    expect(await find(mailbox, ['Bills'])).toEqual([`mbx:${id}`]);
  });

  it('never are mailboxes with a role', async () => {
    const { mailbox, server } = await setUp();
    server.changeMailbox('inbox', { name: 'Inbox' });
    expect(await find(mailbox, ['Inbox', 'Bills'])).toEqual([
      'label_refused',
      expect.stringMatching(/^mbx:/),
    ]);
  });
});

describe('a server', () => {
  it('that refuses to create one is asked for no more, and each says why', async () => {
    const { mailbox, server, creations } = await setUp();
    server.beforeMethod((name) => (name === 'Mailbox/set' ? 'forbidden' : undefined));
    const names = ['a/b/c', 'd', 'e', 'f'];
    expect(await find(mailbox, names)).toEqual(names.map(() => 'forbidden'));
    expect(creations()).toBe(1);
  });

  it('that refuses all requests after a label was created does not lose it', async () => {
    const { mailbox, server } = await setUp();
    const { id } = server.addMailbox({ name: 'Bills' });
    let isRefusing = false;
    server.intercept(() => (isRefusing ? { status: 403 } : undefined));
    server.beforeMethod((name) => {
      isRefusing ||= name === 'Mailbox/set';
      return undefined;
    });
    expect(await find(mailbox, ['News', 'Old', 'Bills'])).toEqual([
      expect.stringMatching(/^mbx:/),
      'forbidden',
      `mbx:${id}`,
    ]);
  });

  it('that reports a circle of parents does not keep labels from being found', async () => {
    const { mailbox, server } = await setUp();
    const [one, other] = [server.addMailbox({ name: 'one' }), server.addMailbox({ name: 'other' })];
    server.changeMailbox(one.id, { parentId: other.id });
    server.changeMailbox(other.id, { parentId: one.id });
    const { id } = server.addMailbox({ name: 'Bills' });
    expect(await find(mailbox, ['Bills'])).toEqual([`mbx:${id}`]);
  });
});
