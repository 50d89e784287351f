import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The workspace's own packages are TypeScript sources and go into a bundle; packages of the registry stay outside. */
export const isExternal = (id: string): boolean => /^[\w@]/.test(id) && !id.startsWith('@mailsweep/');

/**
 * For rolldown: links what other packages of the workspace depend on beside the bundle that they went into, so that it
 * starts in a checkout. Images have all packages in one folder.
 */
export const linkPackages = {
  name: 'link-packages',
  writeBundle(_options: unknown, bundle: Record<string, { moduleIds?: string[] }>): void {
    const modules = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    const manifests = new Set(modules.filter(existsSync).map((id) => findPackageJSON(pathToFileURL(id))));
    for (const manifest of manifests) {
      if (manifest === undefined) continue;
      const { dependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies?: object };
      for (const name of Object.keys(dependencies).filter(isExternal)) {
        const link = join('dist/node_modules', name);
        if (existsSync(join('node_modules', name)) || existsSync(link)) continue;
        mkdirSync(dirname(link), { recursive: true });
        symlinkSync(relative(dirname(link), join(dirname(manifest), 'node_modules', name)), link, 'junction');
      }
    }
  },
};
