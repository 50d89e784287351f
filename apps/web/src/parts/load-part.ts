import { PartLoadError } from '../api/error-kinds.ts';
import { isNewVersionOut } from './new-version.ts';

const RETRY_AFTER_MS = 500;

/** Requests again the styles that did not arrive: the bundler asks for the styles of a part only once. */
const reloadMissingStyles = async (): Promise<void> => {
  const missing = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
    (link) => !link.sheet,
  );
  await Promise.all(
    missing.map(
      (link) =>
        new Promise((resolve, reject) => {
          const again = link.cloneNode() as HTMLLinkElement;
          again.addEventListener('load', resolve);
          again.addEventListener('error', reject);
          link.replaceWith(again);
        }),
    ),
  );
};

/**
 * Loads part of the app's code, with a second attempt for a network that was away for a moment.
 *
 * @throws PartLoadError
 */
export const loadPart = async <T>(load: () => Promise<T>): Promise<T> => {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_AFTER_MS));
  }
  try {
    await reloadMissingStyles();
    return await load();
  } catch (error) {
    throw new PartLoadError(await isNewVersionOut(), error);
  }
};
