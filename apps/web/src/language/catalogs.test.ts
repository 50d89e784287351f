// @vitest-environment node
import { join } from 'node:path';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { describe, expect, it } from 'vitest';

const config = getConfig({ configPath: join(import.meta.dirname, '../../lingui.config.ts') });
const catalogs = await getCatalogs(config);
const languages = config.locales.filter((language) => language !== config.sourceLocale);

describe.each(catalogs.flatMap((catalog) => languages.map((language) => ({ catalog, language }))))(
  'the catalog of $catalog.path in $language',
  ({ catalog, language }) => {
    it('has the messages of the source, after `pnpm --filter @mailsweep/web run extract`', async () => {
      const collected = Object.keys((await catalog.collect()) ?? {});
      const stored = Object.entries((await catalog.read(language)) ?? {});
      const current = stored.filter(([, message]) => !message.obsolete).map(([id]) => id);
      expect(current.toSorted()).toEqual(collected.toSorted());
    });

    it('translates each of them, with the same placeholders', async () => {
      const stored = Object.values((await catalog.read(language)) ?? {});
      const wrong = stored.filter(
        ({ message = '', translation = '' }) =>
          translation === '' || String(toPlaceholders(translation)) !== String(toPlaceholders(message)),
      );
      expect(wrong).toEqual([]);
    });
  },
);

/** The names of values and the numbers of elements in a message. */
const toPlaceholders = (message: string): string[] =>
  [...new Set(collect(compileMessage(message)))].toSorted();

const collect = (token: unknown): string[] => {
  if (typeof token === 'string') return token.match(/<\/?\d+\/?>/g) ?? [];
  if (!Array.isArray(token)) return [];
  return token.flatMap((part) => {
    if (!Array.isArray(part)) return collect(part);
    const [name, , cases] = part;
    return [String(name), ...Object.values(cases ?? {}).flatMap(collect)];
  });
};
