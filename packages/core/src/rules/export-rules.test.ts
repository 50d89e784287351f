import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rule } from '@mailsweep/contracts';
import { expect, test } from 'vitest';
import { toRuleFile } from './export-rules.ts';

const SIEVEC = '/usr/lib/cyrus/bin/sievec';
const PYTHON = '/usr/bin/python3';
const NOW = new Date('2026-02-01T08:00:00.000Z');
const KEY = 'a1'.repeat(32);
const OTHER_KEY = 'b2'.repeat(32);
const HOSTILE = '"\\"--> \\"]; \\\\ \u0007\r\ndiscard;\u2028 😀 --- <x>&\'" <a@b.example>';

let count = 0;
const rule = (change: Partial<Rule> & { from?: string } = {}): Rule => {
  count += 1;
  const { from = 'News <News@Shop.example>', ...fields } = change;
  return {
    id: `0197a3c4-6666-7e8f-9a0b-${String(count).padStart(12, '0')}`,
    condition: { type: 'sender', sender: KEY, from },
    olderThan: 0,
    keepNewest: null,
    action: 'archive',
    label: null,
    enabled: true,
    pausedReason: null,
    pausedAt: null,
    nextRunAt: null,
    checkedAt: null,
    lastRun: null,
    counts: { since: NOW.toISOString(), runs: 0, actions: 0, undone: 0 },
    undoing: 0,
    createdAt: NOW.toISOString(),
    updatedAt: NOW.toISOString(),
    ...fields,
  };
};
const label = (name: string) => rule({ action: 'label', label: name });
const several = (...froms: string[]) =>
  rule({
    condition: {
      type: 'any',
      senders: froms.map((from) => ({ sender: KEY, from })),
      classifications: [],
      minConfidence: 1,
    },
  });

const write = (
  rules: Rule[],
  format: 'gmail' | 'sieve',
  more: { spared?: string[]; withDisabled?: boolean } = {},
) => {
  const { spared = [], withDisabled = false } = more;
  return toRuleFile(rules, format, { spared: new Set(spared), withDisabled, now: NOW });
};

/** The filters of a file, as a strict parser reads them. */
const parse = (content: string): Record<string, string>[] => {
  const code = `
import json, sys, xml.etree.ElementTree as tree
feed = tree.fromstring(sys.stdin.buffer.read())
names = {'atom': 'http://www.w3.org/2005/Atom', 'apps': 'http://schemas.google.com/apps/2006'}
assert feed.tag == '{http://www.w3.org/2005/Atom}feed'
print(json.dumps([{p.get('name'): p.get('value') for p in e.findall('apps:property', names)}
  for e in feed.findall('atom:entry', names) if e.find('atom:category', names).get('term') == 'filter']))`;
  return JSON.parse(execFileSync(PYTHON, ['-c', code], { input: content, encoding: 'utf8' })) as Record<
    string,
    string
  >[];
};

const compile = async (content: string): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'mailsweep-sieve-'));
  try {
    await writeFile(join(folder, 'script'), content);
    execFileSync(SIEVEC, [join(folder, 'script'), join(folder, 'compiled')], { stdio: 'pipe' });
  } finally {
    await rm(folder, { recursive: true });
  }
};

const noPython = !existsSync(PYTHON);
test.skipIf(noPython)(
  `a Gmail file has a filter for each sender${noPython ? ' (skipped: no python3)' : ''}`,
  () => {
    const rules = [
      rule({ action: 'delete', from: "O'Brien <o'brien+x@shop.example>" }),
      rule({ action: 'mark_read' }),
      label(`Ärger & "Co" <'s> 😀/Post`),
      several(HOSTILE, 'OR <or@shop.example>'),
    ];
    const left = rule({ olderThan: 1, from: HOSTILE });
    const file = write([...rules, left], 'gmail');
    expect(parse(file.content)).toEqual([
      { from: `"o'brien+x@shop.example"`, shouldTrash: 'true' },
      { from: '"news@shop.example"', shouldMarkAsRead: 'true' },
      { from: '"news@shop.example"', label: `Ärger & "Co" <'s> 😀/Post` },
      { from: '"a@b.example"', shouldArchive: 'true' },
      { from: '"or@shop.example"', shouldArchive: 'true' },
    ]);
    expect(file).toMatchObject({
      exported: rules.map(({ id }) => id),
      leftOut: [{ ruleId: left.id, reasons: ['age'] }],
      differences: ['arrival', 'protections', 'history', 'senders'],
    });
    expect(file.content).toContain(`<!-- Left out: Rule ${left.id}`);
  },
);

const noSieve = !existsSync(SIEVEC);
test.skipIf(noSieve)(`Cyrus compiles each script${noSieve ? ' (skipped: no cyrus-imapd)' : ''}`, async () => {
  await compile(write([], 'sieve').content);
  await compile(write([rule({ from: '' })], 'sieve').content);
  for (const action of ['archive', 'delete', 'mark_read'] as const)
    await compile(write([rule({ action })], 'sieve').content);
  await compile(
    write([label("Bo's (old) shops"), several(HOSTILE, '<a{b}$*@shop.example>')], 'sieve').content,
  );
});

test('a script marks email before it files it, files nothing after the trash, and says what differs', () => {
  const [archived, deleted, labelled, read] = [
    several('A <a@b.example>', 'B <x?*@b.example>'),
    rule({ action: 'delete' }),
    label("Bo's shops"),
    rule({ action: 'mark_read' }),
  ];
  const { content, differences } = write([archived, deleted, labelled, read], 'sieve');
  expect(content).toBe(`# Acts on email as it arrives, not on what is there.
# Knows no protection of Mailsweep: starred, important, conversations, invitations, receipts.
# Nothing of it is in the history of Mailsweep, or can be undone there.
# Sieve also takes email of several authors, one of whom is the sender.
# Sieve has no labels: a copy goes to a folder of that name.
require ["copy", "fileinto", "imap4flags", "mailbox", "special-use"];

# Rule ${read.id}: News <News@Shop.example>
if address :is "from" ["news@shop.example"] {
  addflag "\\\\Seen";
}

# Rule ${labelled.id}: News <News@Shop.example>
if address :is "from" ["news@shop.example"] {
  fileinto :copy :create "Bo's shops";
}

# Rule ${deleted.id}: News <News@Shop.example>
if address :is "from" ["news@shop.example"] {
  fileinto :specialuse "\\\\Trash" :create "Trash";
  stop;
}

# Rule ${archived.id}: A <a@b.example>, B <x?*@b.example>
if address :is "from" ["a@b.example", "x?*@b.example"] {
  fileinto :specialuse "\\\\Archive" :create "Archive";
}
`);
  expect(differences).toEqual(['arrival', 'protections', 'history', 'senders', 'labels']);
});

test('a name from outside stays on the line of its comment', () => {
  const { content } = write([rule({ from: HOSTILE }), rule({ from: HOSTILE, olderThan: 3 })], 'sieve');
  expect(content.split('\n').filter((line) => line.includes('discard'))).toEqual([
    expect.stringMatching(/^# Left out: Rule .+ \(it waits for an age, and a filter acts on arrival\)$/),
    expect.stringMatching(/^# Rule /),
  ]);
});

const KIND = { classification: 'bulk', minConfidence: 0.9 };
test.each<[string, Partial<Rule> & { from?: string }, string[], string[]]>([
  ['is off', { enabled: false }, ['disabled'], ['disabled']],
  ['leaves the newest', { keepNewest: 1 }, ['newest'], ['newest']],
  [
    'is for kinds',
    { condition: { type: 'classification', ...KIND } },
    ['classification'],
    ['classification'],
  ],
  [
    'is also for kinds',
    {
      condition: {
        type: 'any',
        senders: [{ sender: OTHER_KEY, from: 'a@b.example' }],
        classifications: ['bulk'],
        minConfidence: 1,
      },
    },
    ['classification'],
    ['classification'],
  ],
  ['has an unreadable sender', { from: '' }, ['sender'], ['sender']],
  ['has a sender without an address', { from: 'News OR {all}' }, ['sender'], ['sender']],
  ['has a quoted address', { from: '"a"@b.example' }, ['sender'], ['sender']],
  ['has an address that is not ASCII', { from: 'ä@b.example' }, ['sender'], ['sender']],
  ['would take the whole domain', { from: '*@b.example' }, ['sender'], []],
  ['would exclude by a minus', { from: '-a@b.example' }, ['sender'], []],
  ['has braces', { from: 'a{b}@b.example' }, ['sender'], []],
  ['has a nested label', { action: 'label', label: 'Shops/Books' }, [], ['label']],
  ['has a label beyond ASCII', { action: 'label', label: 'Ärger' }, [], ['label']],
  ['has a label for all', { action: 'label', label: 'a*' }, [], ['label']],
  [
    'is for a protected sender',
    { condition: { type: 'sender', sender: OTHER_KEY, from: 'a@b.example' } },
    ['protected_sender'],
    ['protected_sender'],
  ],
])('a rule that %s is left out where it cannot be expressed', (_name, change, gmail, sieve) => {
  for (const [format, reasons] of [
    ['gmail', gmail],
    ['sieve', sieve],
  ] as const) {
    const asked = rule(change);
    const file = write([asked], format, { spared: reasons.includes('protected_sender') ? [OTHER_KEY] : [] });
    expect(file.leftOut).toEqual(reasons.length > 0 ? [{ ruleId: asked.id, reasons }] : []);
    expect(file.exported).toEqual(reasons.length > 0 ? [] : [asked.id]);
  }
});

test('a disabled rule is exported when the user has chosen it', () => {
  expect(write([rule({ enabled: false })], 'gmail', { withDisabled: true }).leftOut).toEqual([]);
});
