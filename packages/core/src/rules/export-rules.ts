import {
  type ExportRulesQuery,
  type Rule,
  type RuleAction,
  type RuleDifference,
  type RuleFile,
  type RuleOmission,
  readAuthors,
} from '@mailsweep/contracts';

type Format = ExportRulesQuery['format'];

/** A rule that a format can express. */
interface ExpressibleRule {
  rule: Rule;
  /** In lower case. */
  addresses: string[];
}

export const listRuleSenders = ({ condition }: Rule): { sender: string; from: string }[] => {
  if (condition.type === 'any') return condition.senders;
  return condition.type === 'sender' ? [condition] : [];
};

/**
 * Addresses that a format takes for themselves. Gmail searches for their words: a quote ends them, and without a first word
 * the whole domain would match. Sieve compares ASCII without case; servers read quoted local parts in different ways.
 */
const ADDRESSES: Record<Format, RegExp> = {
  gmail: /^[a-z0-9][a-z0-9._+='&/-]*@[a-z0-9.-]+$/,
  sieve: /^[a-z0-9._+='&/!#$%*?^`{|}~-]+@[a-z0-9.-]+$/,
};

/**
 * Names of labels that a format takes for themselves: what XML can have; and what every mail server can have in the name of
 * a folder, without what separates folders. Cyrus expects other letters in UTF-7, unlike RFC 5228, 1.1.
 */
const LABELS: Record<Format, RegExp> = {
  gmail: /^[^\p{Cc}\p{Cs}\uFFFE\uFFFF]+$/u,
  sieve: /^[a-z0-9 ()'_+-]+$/i,
};

const toAddress = (from: string, format: Format): string | undefined => {
  const address = readAuthors(from)[0]?.written.toLowerCase() ?? '';
  return ADDRESSES[format].test(address) ? address : undefined;
};

const whyLeftOut = (
  rule: Rule,
  format: Format,
  { spared, withDisabled }: { spared: ReadonlySet<string>; withDisabled: boolean },
): RuleOmission[] => {
  const senders = listRuleSenders(rule);
  const { condition, label } = rule;
  const reasons: Record<RuleOmission, boolean> = {
    disabled: !rule.enabled && !withDisabled,
    age: rule.olderThan > 0,
    newest: rule.keepNewest !== null,
    classification:
      condition.type === 'classification' ||
      (condition.type === 'any' && condition.classifications.length > 0),
    sender: senders.some(({ from }) => toAddress(from, format) === undefined),
    label: rule.action === 'label' && !LABELS[format].test(label ?? ''),
    protected_sender: senders.some(({ sender }) => spared.has(sender)),
  };
  return (Object.keys(reasons) as RuleOmission[]).filter((reason) => reasons[reason]);
};

const OMISSIONS: Record<RuleOmission, string> = {
  disabled: 'it is off',
  age: 'it waits for an age, and a filter acts on arrival',
  newest: 'it leaves the newest emails, and a filter looks at one email',
  classification: 'Mailsweep alone knows the kind of email',
  sender: 'the address of a sender cannot be expressed exactly',
  label: 'the name of the label cannot be expressed exactly',
  protected_sender: 'Mailsweep leaves email of a sender alone',
};

const DIFFERENCES: Record<RuleDifference, (format: Format) => string> = {
  arrival: () => 'Acts on email as it arrives, not on what is there.',
  protections: () =>
    'Knows no protection of Mailsweep: starred, important, conversations, invitations, receipts.',
  history: () => 'Nothing of it is in the history of Mailsweep, or can be undone there.',
  senders: (format) =>
    format === 'gmail'
      ? 'Gmail also takes longer addresses and names with the same words.'
      : 'Sieve also takes email of several authors, one of whom is the sender.',
  labels: () => 'Sieve has no labels: a copy goes to a folder of that name.',
};

const DIFFERING: Record<Format, RuleDifference[]> = {
  gmail: ['arrival', 'protections', 'history', 'senders'],
  sieve: ['arrival', 'protections', 'history', 'senders', 'labels'],
};

/** A text within a comment of either format: on one line, and without what ends a comment of XML. */
const toComment = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu, ' ').replace(/-(?=-)/g, '- ');

const nameRule = (rule: Rule): string => {
  const names = listRuleSenders(rule).map(({ from }) => from);
  return `Rule ${rule.id}${names.length > 0 ? `: ${names.join(', ')}` : ''}`;
};

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  "'": '&apos;',
  '"': '&quot;',
};

const toProperty = (name: string, value: string): string =>
  `    <apps:property name='${name}' value='${value.replace(/[&<>'"]/g, (found) => ENTITIES[found] ?? '')}'/>`;

const GMAIL_ACTIONS: Record<RuleAction, string> = {
  archive: 'shouldArchive',
  delete: 'shouldTrash',
  mark_read: 'shouldMarkAsRead',
  label: 'label',
};

/**
 * A file for Gmail's import of filters. The properties are those of Google's e-mail settings API, as Google's Luke B. wrote
 * in "What is the XML format for exported filters?" (group gmail-labs-help-filter-import-export, 11 February 2009), and as
 * mbrt/gmailctl writes them (internal/engine/export/xml). A filter for each sender: operators between addresses would be
 * words of a search, whose length is limited.
 */
const writeGmail = (rules: readonly ExpressibleRule[], notes: readonly string[], now: Date): string => {
  const entries = rules.flatMap(({ rule, addresses }) =>
    addresses.map((address) => [
      '  <entry>',
      "    <category term='filter'/>",
      '    <title>Mail Filter</title>',
      '    <content/>',
      toProperty('from', `"${address}"`),
      toProperty(GMAIL_ACTIONS[rule.action], rule.action === 'label' ? (rule.label ?? '') : 'true'),
      '  </entry>',
    ]),
  );
  return [
    "<?xml version='1.0' encoding='UTF-8'?>",
    ...notes.map((note) => `<!-- ${toComment(note)} -->`),
    "<feed xmlns='http://www.w3.org/2005/Atom' xmlns:apps='http://schemas.google.com/apps/2006'>",
    '  <title>Mail Filters</title>',
    '  <id>tag:mail.google.com,2008:filters:</id>',
    `  <updated>${now.toISOString()}</updated>`,
    '  <author><name>Mailsweep</name></author>',
    ...entries.flat(),
    '</feed>',
  ].join('\n');
};

/** RFC 5228, 2.4.2. */
const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

interface SieveAction {
  needs: string[];
  commands: (label: string) => string[];
}

/** In the order in which they have to come: flags before what files an email, and nothing after the trash. */
const SIEVE_ACTIONS: Record<RuleAction, SieveAction> = {
  mark_read: { needs: ['imap4flags'], commands: () => [`addflag ${quote('\\Seen')};`] },
  label: {
    needs: ['copy', 'fileinto', 'mailbox'],
    commands: (label) => [`fileinto :copy :create ${quote(label)};`],
  },
  delete: {
    needs: ['fileinto', 'mailbox', 'special-use'],
    commands: () => [`fileinto :specialuse ${quote('\\Trash')} :create "Trash";`, 'stop;'],
  },
  archive: {
    needs: ['fileinto', 'mailbox', 'special-use'],
    commands: () => [`fileinto :specialuse ${quote('\\Archive')} :create "Archive";`],
  },
};

/** A script by RFC 5228, with the extensions of RFC 3894, 5232, 5490 and 8579 that its actions need. */
const writeSieve = (rules: readonly ExpressibleRule[], notes: readonly string[]): string => {
  const order = Object.keys(SIEVE_ACTIONS);
  const sorted = rules.toSorted(
    (one, other) => order.indexOf(one.rule.action) - order.indexOf(other.rule.action),
  );
  const needs = new Set(sorted.flatMap(({ rule }) => SIEVE_ACTIONS[rule.action].needs));
  return [
    ...notes.map((note) => `# ${toComment(note)}`),
    ...(needs.size > 0 ? [`require [${[...needs].toSorted().map(quote).join(', ')}];`] : []),
    ...sorted.flatMap(({ rule, addresses }) => [
      '',
      `# ${toComment(nameRule(rule))}`,
      `if address :is "from" [${addresses.map(quote).join(', ')}] {`,
      ...SIEVE_ACTIONS[rule.action].commands(rule.label ?? '').map((command) => `  ${command}`),
      '}',
    ]),
  ].join('\n');
};

/**
 * Writes rules as a file that others take. A rule that cannot be expressed exactly is left out and named.
 *
 * @param options.spared - ids of senders whose email Mailsweep leaves alone
 * @param options.withDisabled - whether the user has chosen the rules, and means disabled ones, too
 */
export const toRuleFile = (
  rules: readonly Rule[],
  format: Format,
  options: { spared: ReadonlySet<string>; withDisabled: boolean; now: Date },
): RuleFile => {
  const judged = rules.map((rule) => ({ rule, reasons: whyLeftOut(rule, format, options) }));
  const expressible = judged.flatMap(({ rule, reasons }): ExpressibleRule[] =>
    reasons.length > 0
      ? []
      : [{ rule, addresses: listRuleSenders(rule).flatMap(({ from }) => toAddress(from, format) ?? []) }],
  );
  const leftOut = judged.filter(({ reasons }) => reasons.length > 0);
  const differences = DIFFERING[format].filter(
    (difference) =>
      expressible.length > 0 &&
      (difference !== 'labels' || expressible.some(({ rule }) => rule.action === 'label')),
  );
  const notes = [
    ...differences.map((difference) => DIFFERENCES[difference](format)),
    ...leftOut.map(
      ({ rule, reasons }) =>
        `Left out: ${nameRule(rule)} (${reasons.map((reason) => OMISSIONS[reason]).join('; ')})`,
    ),
  ];
  const isGmail = format === 'gmail';
  return {
    fileName: isGmail ? 'mailsweep-filters.xml' : 'mailsweep.sieve',
    mediaType: isGmail ? 'application/atom+xml' : 'application/sieve',
    content: `${isGmail ? writeGmail(expressible, notes, options.now) : writeSieve(expressible, notes)}\n`,
    exported: expressible.map(({ rule }) => rule.id),
    leftOut: leftOut.map(({ rule, reasons }) => ({ ruleId: rule.id, reasons })),
    differences,
  };
};
