import { type ComponentType, createElement, type FunctionComponent, lazy } from 'react';
import { PartLoadError } from '../api/errors.ts';
import { whenIdle } from './when-idle.ts';

/** Whether the server has another build: script names contain a hash, so its page has another script. */
export const isNewVersionOut = async (): Promise<boolean> => {
  const script = document.querySelector('script[type=module][src]')?.getAttribute('src');
  if (!script) return false;
  try {
    const response = await fetch('/index.html', { cache: 'no-store' });
    return response.ok && !(await response.text()).includes(script);
  } catch {
    return false;
  }
};

const RETRY_AFTER_MS = 500;

/** Reloads missing styles, as the bundler requests them only once. */
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
 * Loads code, with one retry for a short loss of the network.
 *
 * @throws PartLoadError
 */
const loadPart = async <T>(load: () => Promise<T>): Promise<T> => {
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

/** A component that loads its code on first use, or before. */
export type LazyPart<P extends object> = FunctionComponent<P> & { preload: () => Promise<void> };

const preloads: LazyPart<object>['preload'][] = [];
/** Resets failed parts. */
const failed = new Set<() => void>();

/** Lets failed parts load again when they are next drawn. */
export const forgetFailedParts = (): void => {
  for (const forget of failed) forget();
  failed.clear();
};

/**
 * A component that loads its code on demand. Unlike React's `lazy`, it can retry after an error.
 *
 * @param load - imports the component
 */
export const lazyPart = <P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> => {
  let loading: Promise<ComponentType<P>> | undefined;
  let drawn: ComponentType<P> | undefined;
  const forget = () => {
    loading = undefined;
    drawn = undefined;
  };
  const request = () => {
    loading ??= loadPart(load).then((part) => {
      // Draws loaded parts at once; `lazy` would show nothing for a moment.
      drawn ??= part;
      return part;
    });
    return loading;
  };
  const draw = () => {
    const drawing = request();
    drawing.catch(() => failed.add(forget));
    return lazy(async () => ({ default: await drawing }));
  };
  const Part = Object.assign(
    (props: P) => {
      drawn ??= draw();
      return createElement(drawn, props);
    },
    {
      // A failed preload is repeated on use.
      preload: () => request().then(() => undefined, forget),
    },
  );
  preloads.push(Part.preload);
  return Part;
};

/** Loads every known part in turn, so that none is missing offline or after a deploy. */
export const preloadParts = async (): Promise<void> => {
  // A loaded part may add parts.
  for (const preload of preloads) {
    await whenIdle();
    await preload();
  }
};
