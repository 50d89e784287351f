import { describe, expect, test } from 'vitest';
import { parseChangeset, readVersion, writeVersion } from './changelog.ts';

const RELEASE = { version: '0.2.0', date: '2026-11-26' };
const CHANGELOG = `# Changelog

Intro.

## Unreleased

### Added

- One thing.
- Another.

### Fixed

- A bug.

## 0.1.0 (2026-11-01)

### Added

- The first version.
`;

describe('the section of a version', () => {
  test('holds what was unreleased and the changesets, by heading, upgrade notes first', () => {
    const changelog = writeVersion(
      CHANGELOG,
      [
        { bump: 'minor', text: 'A third thing,\nin two lines.' },
        { bump: 'patch', text: '- Another bug.' },
        { bump: 'major', text: '### Upgrade notes\n\n- Set `NEW`.\n\n### Removed\n\n- `OLD`.' },
      ],
      RELEASE,
    );
    expect(changelog).toBe(`# Changelog

Intro.

## Unreleased

## 0.2.0 (2026-11-26)

### Upgrade notes

- Set \`NEW\`.

### Added

- One thing.
- Another.
- A third thing,
  in two lines.

### Removed

- \`OLD\`.

### Fixed

- A bug.
- Another bug.

## 0.1.0 (2026-11-01)

### Added

- The first version.
`);
    expect(readVersion(changelog, '0.2.0')).toMatch(/^### Upgrade notes\n[\s\S]*Another bug\.\n$/);
    expect(readVersion(changelog, '0.1.0')).toBe('### Added\n\n- The first version.\n');
  });

  test('can be the first one', () => {
    const first = writeVersion('# Changelog\n\n## Unreleased\n\n### Added\n\n- All.\n', [], RELEASE);
    expect(first).toBe('# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-26)\n\n### Added\n\n- All.\n');
  });

  test('is refused for headings that no changelog has, and for a version that is not there', () => {
    expect(() => writeVersion(CHANGELOG, [{ bump: 'patch', text: '### Whatever\n\n- X' }], RELEASE)).toThrow(
      'no heading "Whatever"',
    );
    expect(() => writeVersion('# Changelog\n', [], RELEASE)).toThrow('no section "Unreleased"');
    expect(() => readVersion(CHANGELOG, '0.2.0')).toThrow('no section for 0.2.0');
  });
});

describe('a changeset', () => {
  test('has the largest of its bumps, and its text', () => {
    expect(parseChangeset('---\n"mailsweep": patch\n"@mailsweep/client": minor\n---\n\nNew.\n')).toEqual({
      bump: 'minor',
      text: 'New.',
    });
  });

  test.each(['no front matter', '---\n---\n\nText', '---\n"mailsweep": minor\n---\n\n'])(
    'is refused: %j',
    (file) => {
      expect(() => parseChangeset(file)).toThrow('needs a bump and a text');
    },
  );
});
