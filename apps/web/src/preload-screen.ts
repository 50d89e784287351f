import { HOME } from './session/remembered-place.ts';

/**
 * Fetches the files of the screen at an address while the app's are on their way. Which they are, the build has written
 * into the page; the dev server has not, and goes without.
 */
export const preloadScreen = (pathname: string): void => {
  const listed = document.querySelector<HTMLMetaElement>('meta[name="screen-files"]')?.content;
  const filesByPlace: Record<string, string[]> = listed ? JSON.parse(listed) : {};
  for (const file of filesByPlace[pathname === '/' ? HOME : pathname] ?? []) {
    const isStyle = file.endsWith('.css');
    const link = Object.assign(document.createElement('link'), {
      rel: isStyle ? 'preload' : 'modulepreload',
      crossOrigin: '',
      // Behind what the first paint needs.
      fetchPriority: 'low',
      href: file,
      ...(isStyle && { as: 'style' }),
    });
    document.head.append(link);
  }
};
