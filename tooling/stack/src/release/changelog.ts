/** What may become of a version, as a changeset names it. */
export type Bump = 'patch' | 'minor' | 'major';

export interface Changeset {
  bump: Bump;
  /** Markdown: lines of a list, under headings of the changelog or without. */
  text: string;
}

/** In this order; what concerns those who upgrade comes first. */
const HEADINGS = ['Upgrade notes', 'Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const HEADING_OF: Record<Bump, string> = { major: 'Changed', minor: 'Added', patch: 'Fixed' };
const BUMPS: Bump[] = ['patch', 'minor', 'major'];
const UNRELEASED = '## Unreleased\n';

/** @throws {Error} where the file is no changeset */
export const parseChangeset = (file: string): Changeset => {
  const [, front = '', text = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(file) ?? [];
  const bumps = [...front.matchAll(/: (patch|minor|major)$/gm)].map(([, bump]) => bump as Bump);
  const bump = BUMPS.findLast((each) => bumps.includes(each));
  if (bump === undefined || text.trim() === '') throw new Error('A changeset needs a bump and a text.');
  return { bump, text: text.trim() };
};

/** Sections of Markdown by their headings; what has none stands under the given one. */
const toSections = (markdown: string, heading: string): Map<string, string[]> => {
  const sections = new Map<string, string[]>();
  let current = heading;
  for (const block of markdown.split(/^(### .*)$/m)) {
    if (block.startsWith('### ')) current = block.slice('### '.length).trim();
    else if (block.trim() !== '') sections.set(current, [...(sections.get(current) ?? []), block.trim()]);
  }
  return sections;
};

const toItem = (text: string): string =>
  text.startsWith('- ') ? text : `- ${text.replaceAll('\n', '\n  ')}`;

/**
 * Turns what is unreleased, and the changesets, into the section of a version.
 *
 * @param date - day of the release, such as 2026-11-26
 * @throws {Error} for a changelog without "Unreleased", and a heading that it does not know
 */
export const writeVersion = (
  changelog: string,
  changesets: Changeset[],
  { version, date }: { version: string; date: string },
): string => {
  const start = changelog.indexOf(UNRELEASED);
  if (start < 0) throw new Error('CHANGELOG.md has no section "Unreleased".');
  const next = changelog.indexOf('\n## ', start);
  const end = next < 0 ? changelog.length : next + 1;
  const parts = [
    toSections(changelog.slice(start + UNRELEASED.length, end), 'Changed'),
    ...changesets.map(({ bump, text }) => toSections(text, HEADING_OF[bump])),
  ];
  const unknown = parts.flatMap((part) => [...part.keys()]).find((heading) => !HEADINGS.includes(heading));
  if (unknown !== undefined) throw new Error(`CHANGELOG.md has no heading "${unknown}".`);
  const sections = HEADINGS.flatMap((heading) => {
    const items = parts.flatMap((part) => part.get(heading) ?? []).map(toItem);
    return items.length === 0 ? [] : [`### ${heading}\n\n${items.join('\n')}\n`];
  });
  const section = `${UNRELEASED}\n## ${version} (${date})\n\n${sections.join('\n')}`;
  return `${changelog.slice(0, start)}${section}${next < 0 ? '' : '\n'}${changelog.slice(end)}`;
};

/**
 * The release notes of a version: its section of the changelog, without its heading.
 *
 * @throws {Error} where the changelog has no such section
 */
export const readVersion = (changelog: string, version: string): string => {
  const sections = changelog.split(/^## /m);
  const section = sections.find((each) => each.startsWith(`${version} (`));
  if (section === undefined) throw new Error(`CHANGELOG.md has no section for ${version}.`);
  return `${section.slice(section.indexOf('\n')).trim()}\n`;
};
