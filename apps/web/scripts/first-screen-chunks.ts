/** What draws the app; changes seldom, so that browsers keep it. */
const REACT =
  /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]|[\\/]apps[\\/]web[\\/]src[\\/]react\.ts/;
/** The other libraries that the first screen needs whatever it is. */
const LIBRARIES =
  /[\\/]node_modules[\\/](zod|clsx|use-sync-external-store|@tanstack|@mantine[\\/]store)[\\/]|[\\/]apps[\\/]web[\\/]src[\\/]libraries\.ts/;
/** What draws the long lists; the inbox and the senders alone have any. */
const LONG_LISTS =
  /[\\/]node_modules[\\/]@tanstack[\\/](react-)?virtual|[\\/]apps[\\/]web[\\/]src[\\/]controls[\\/]use-virtual-rows\.ts/;
/**
 * Our own parts that several screens share, with what icons and toasts have in common; not what the page itself begins
 * with, which has to wait for no library. Of the contracts only what the first screen parses: each parser takes time
 * to make, and there are hundreds.
 */
const SHARED_PARTS =
  /[\\/](packages[\\/]contracts[\\/]src[\\/](scalars|problem|session|email|route-contract|recorded-action|summary-period|sender-order)\.ts|apps[\\/]web[\\/]src[\\/](api[\\/](?!early-answers|read-request|all-routes)|keyboard|mail|preferences|time|undo|feedback[\\/](toasts\.|slow-notice|skeleton|failure-reasons)|controls[\\/](?!use-virtual)|shell[\\/]screen-header|suggestions[\\/]suggestion(-words|s-query)|inbox[\\/]selection-bar\.module|senders[\\/](expect-sender-change|senders-keys))|(createReactComponent|Icon(Check|X|Trash|Mail|Archive|Search|ChevronDown|FilterOff))\.mjs|defaultAttributes\.mjs|notifications\.store\.mjs)/;
const OTHER_CONTRACTS = /[\\/]packages[\\/]contracts[\\/]|all-routes\.ts/;

/** Few large files instead of many small ones: over HTTP/1.1 a browser fetches no more than six at a time. */
export const FIRST_SCREEN_CHUNKS = {
  includeDependenciesRecursively: false,
  groups: [
    { name: 'react', test: REACT, priority: 4 },
    { name: 'long-lists', test: LONG_LISTS, priority: 3 },
    { name: 'libraries', test: LIBRARIES, priority: 2 },
    { name: 'shared', test: SHARED_PARTS, priority: 1 },
    { name: 'contracts', test: OTHER_CONTRACTS, priority: 0 },
  ],
};
