import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lists every built file with its imports. */
export const MANIFEST = '.vite/manifest.json';

type Manifest = Record<string, { file: string; name?: string; imports?: string[]; css?: string[] }>;

const NEWEST_SCAN = '/api/v1/scans?page=1&perPage=1';
/** What a screen without filters requests first. */
const FIRST_REQUESTS: Record<string, readonly string[]> = {
  home: [
    '/api/v1/mailbox?detailed=true',
    NEWEST_SCAN,
    '/api/v1/suggestions/groups?by=classification&perPage=100',
    '/api/v1/activity',
  ],
  inbox: ['/api/v1/emails?pageSize=30'],
  suggestions: [
    '/api/v1/suggestions/groups?by=sender&minAcceptance=0.95&page=1&perPage=100',
    // Shown if none is surer, as for most users until they have decided about some.
    '/api/v1/suggestions/groups?by=sender&minAcceptance=0.75&page=1&perPage=100',
    NEWEST_SCAN,
  ],
  senders: [NEWEST_SCAN, '/api/v1/senders?sort=mails&page=1&perPage=100'],
};

const toFileLink = (file: string): string =>
  file.endsWith('.css')
    ? `</${file}>; rel=preload; as=style; crossorigin`
    : `</${file}>; rel=modulepreload; fetchpriority=low`;

/** Adds a file and its static imports. */
const addFiles = (manifest: Manifest, key: string, found: Set<string>): Set<string> => {
  const chunk = manifest[key];
  if (!chunk || found.has(chunk.file)) return found;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) found.add(file);
  for (const imported of chunk.imports ?? []) addFiles(manifest, imported, found);
  return found;
};

/**
 * Values of the `Link` header: the browser loads a screen and its first data while the app is still loading, which
 * saves a slow connection two round trips.
 *
 * @param input.directory - the folder that `vite build` wrote
 * @returns the links for a path with its query; none if it has no screen, and no data of another mailbox, as links carry
 *   no header that names it
 */
export const readScreenLinks = (input: {
  directory: string;
  apiOrigin: string;
}): ((address: string) => readonly string[]) => {
  const manifest: Manifest = JSON.parse(readFileSync(join(input.directory, MANIFEST), 'utf8'));
  const toRequestLink = (path: string) =>
    `<${input.apiOrigin}${path}>; rel=preload; as=fetch; crossorigin=use-credentials`;
  const ofPage = addFiles(manifest, 'index.html', new Set());
  const links = new Map<string, string[]>();
  for (const [key, { name }] of Object.entries(manifest)) {
    // A screen's file is named after its address.
    const screen = /^(\w+)-screen$/.exec(name ?? '')?.[1];
    if (screen === undefined) continue;
    const files = [...addFiles(manifest, key, new Set())].filter((file) => !ofPage.has(file));
    const path = screen === 'home' ? '/' : `/${screen}`;
    const always = [...files.map(toFileLink), toRequestLink('/api/v1/me')];
    links.set(`/m${path}`, files.map(toFileLink));
    links.set(`${path}?`, always);
    links.set(path, [...always, ...(FIRST_REQUESTS[screen] ?? []).map(toRequestLink)]);
  }
  return (address) => links.get(address.replace(/\?.*/, '?').replace(/^\/m\/\d+(\/.*?)\??$/, '/m$1')) ?? [];
};
