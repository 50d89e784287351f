import { type ComponentType, createElement, type FunctionComponent, lazy } from 'react';
import { loadPart } from './load-part.ts';
import { whenIdle } from './when-idle.ts';

/** Part of the screen whose code is loaded when it is first drawn, or before. */
export type LazyPart<P extends object> = FunctionComponent<P> & { preload: () => Promise<void> };

const preloads: LazyPart<object>['preload'][] = [];
/** What lets each part that could not be loaded be requested again. */
const failed = new Set<() => void>();

/** Lets the parts that could not be loaded be requested again when they are next drawn. */
export const forgetFailedParts = (): void => {
  for (const forget of failed) forget();
  failed.clear();
};

/**
 * A component whose code is loaded when it is needed. Unlike with React's `lazy`, it can be tried again after an error.
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
      // What is there is drawn at once, without the moment of nothing that `lazy` takes.
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
      // What could not be loaded beforehand is requested again when it is needed.
      preload: () => request().then(() => undefined, forget),
    },
  );
  preloads.push(Part.preload);
  return Part;
};

/** Loads every part that is known so far, one after the other, so that none is missing offline or after a deploy. */
export const preloadParts = async (): Promise<void> => {
  // A part that is loaded may add parts of its own.
  for (const preload of preloads) {
    await whenIdle();
    await preload();
  }
};
