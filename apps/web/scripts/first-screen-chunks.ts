/** What draws the app; changes seldom, so that browsers keep it. */
const REACT =
  /[\\/]node_modules[\\/](react|react-dom|scheduler)[\\/]|[\\/]apps[\\/]web[\\/]src[\\/]react\.ts/;
/** What checks the API's answers. */
const VALIDATION = /[\\/]node_modules[\\/]zod[\\/]|[\\/]apps[\\/]web[\\/]src[\\/]validation\.ts/;
/** The other libraries that the first screen needs whatever it is. */
const LIBRARIES =
  /[\\/]node_modules[\\/](clsx|use-sync-external-store|@tanstack|@mantine[\\/]store)[\\/]|[\\/]apps[\\/]web[\\/]src[\\/]libraries\.ts/;
/** What draws the long lists; the inbox and the senders alone have any. */
const LONG_LISTS =
  /[\\/]node_modules[\\/]@tanstack[\\/](react-)?virtual|[\\/]apps[\\/]web[\\/]src[\\/]controls[\\/]use-virtual-rows\.ts/;
/**
 * The contracts by what begins with them: each of their parsers takes time to make, and there are hundreds. What no
 * screen begins with comes with the first call of any.
 */
const FIRST_CALLS =
  /[\\/]packages[\\/]contracts[\\/]src[\\/](scalars|problem|session|email|route-contract|recorded-action|summary-period|sender-order|pagination|counts|failure-reason)\.ts|api[\\/]first-calls\.ts/;
const MAILBOX_CALLS =
  /[\\/]packages[\\/]contracts[\\/]src[\\/](suggestion|scan|sender)\.ts|api[\\/]mailbox-calls\.ts/;
const RECORD_CALLS =
  /[\\/]packages[\\/]contracts[\\/]src[\\/](action-history|event-summary|notification)\.ts|api[\\/]record-calls\.ts/;
const ACCOUNT_CALLS =
  /[\\/]packages[\\/]contracts[\\/]src[\\/](audit|user-session)\.ts|api[\\/]account-calls\.ts/;
const OTHER_CONTRACTS = /[\\/]packages[\\/]contracts[\\/]|all-routes\.ts/;
/**
 * Our own parts that several screens share, with what icons and toasts have in common; not what the page itself begins
 * with, which has to wait for no library.
 */
const SHARED_PARTS =
  /[\\/](apps[\\/]web[\\/]src[\\/](api[\\/](?!early-answers|read-request)|keyboard|mail|preferences|time|undo|feedback[\\/](toasts\.|slow-notice|skeleton|failure-reasons)|controls[\\/](?!use-virtual)|shell[\\/]screen-header|suggestions[\\/]suggestion(-words|s-query)|inbox[\\/]selection-bar\.module|senders[\\/](expect-sender-change|senders-keys))|(createReactComponent|Icon(Check|X|Trash|Mail|Archive|Search|ChevronDown|FilterOff))\.mjs|defaultAttributes\.mjs|notifications\.store\.mjs)/;

const IN_ORDER_OF_PRIORITY = {
  react: REACT,
  'long-lists': LONG_LISTS,
  validation: VALIDATION,
  libraries: LIBRARIES,
  'first-calls': FIRST_CALLS,
  'mailbox-calls': MAILBOX_CALLS,
  'record-calls': RECORD_CALLS,
  'account-calls': ACCOUNT_CALLS,
  contracts: OTHER_CONTRACTS,
  shared: SHARED_PARTS,
};

/** Few large files instead of many small ones: over HTTP/1.1 a browser fetches no more than six at a time. */
export const FIRST_SCREEN_CHUNKS = {
  includeDependenciesRecursively: false,
  groups: Object.entries(IN_ORDER_OF_PRIORITY).map(([name, test], index, { length }) => ({
    name,
    test,
    priority: length - index,
  })),
};
