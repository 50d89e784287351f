/** Libraries that the first screen needs whatever it is; they change seldom, so that browsers keep them. */
const LIBRARIES =
  /[\\/]node_modules[\\/](react|react-dom|scheduler|zod|clsx|use-sync-external-store|@tanstack|@mantine[\\/]store)[\\/]/;
/**
 * Our own parts that several screens share, with what icons and toasts have in common; not what the page itself begins
 * with, which has to wait for no library.
 */
const SHARED_PARTS =
  /[\\/](packages[\\/]contracts|apps[\\/]web[\\/]src[\\/](api[\\/](?!early-answers|read-request)|keyboard|mail|preferences|time|undo|feedback[\\/]toasts)|createReactComponent\.mjs|defaultAttributes\.mjs|notifications\.store\.mjs)/;

/** Few large files instead of many small ones: over HTTP/1.1 a browser fetches no more than six at a time. */
export const FIRST_SCREEN_CHUNKS = {
  includeDependenciesRecursively: false,
  groups: [
    { name: 'libraries', test: LIBRARIES, priority: 2 },
    { name: 'shared', test: SHARED_PARTS, priority: 1 },
  ],
};
