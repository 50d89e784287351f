import { FILE_VARIABLES } from './secret-files.ts';

/** Every variable of API, worker, classification service, web server and `npm start`: they may share one `.env`. */
export const VARIABLES = [
  'ALLOW_PRIVATE_ADDRESSES',
  'API_ORIGIN',
  'API_RATE_LIMIT_PER_MINUTE',
  'AUTH_RATE_LIMIT_PER_MINUTE',
  'DATABASE_URL',
  'DB_HOST',
  'DB_NAME',
  'DB_PASSWORD',
  'DB_PORT',
  'DB_USER',
  'FRONTEND_ORIGIN',
  'GMAIL_BASE_URL',
  'GMAIL_QUOTA_UNITS_PER_MINUTE',
  'INTERNAL_HOST',
  'INTERNAL_JWT_SECRET',
  'JMAP_PROVIDERS',
  'LOG_LEVEL',
  'MAILSWEEP_HOME',
  'ML_BASE_URL',
  'ML_SHADOW_URL',
  'ML_TIMEOUT_MS',
  'NOTIFICATION_WEBHOOK',
  'OAUTH_CLIENT_ID',
  'OAUTH_CLIENT_SECRET',
  'OAUTH_ISSUER',
  'OAUTH_REDIRECT_URI',
  'OPERATIONS_PASSWORD',
  'OPERATIONS_PORT',
  'PORT',
  'PORT_HTTP',
  'REDIS_URL',
  'SESSION_COOKIE_SAMESITE',
  'SESSION_TTL_HOURS',
  'SUGGESTIONS_PUBLISH_THRESHOLD',
  'TOKEN_ENCRYPTION_KEY',
  'TOKEN_ENCRYPTION_KEY_PREVIOUS',
  'TRUST_PROXY_HOPS',
  'VALIDATION_ERROR_STATUS',
  'VAPID_PRIVATE_KEY',
  'VAPID_PUBLIC_KEY',
  'VAPID_SUBJECT',
  'WEBHOOK_SIGNING_SECRET',
  'WEBHOOK_SIGNING_SECRET_PREVIOUS',
  'WORKER_PORT',
  'WORKFLOW_WEBHOOK_URL',
];

const RETIRED_VARIABLES = new Set([
  'AUDIT_RETENTION_DAYS',
  'CLIENT_IPV6_PREFIX_LENGTH',
  'DATABASE_POOL_SIZE',
  'DELIVERY_CONCURRENCY',
  'GMAIL_BATCH_READS',
  'GMAIL_CONCURRENT_CALLS',
  'GMAIL_QUOTA_INTERACTIVE_RESERVE',
  'GMAIL_QUOTA_PRICES',
  'MAX_CONNECTIONS_PER_ADDRESS',
  'MAX_REQUESTS_IN_FLIGHT',
  'MAX_REQUESTS_IN_FLIGHT_PER_ADDRESS',
  'MAX_REQUESTS_IN_FLIGHT_PER_USER',
  'MESSAGE_CACHE_DAYS',
  'ML_BREAKER_PAUSE_MS',
  'RECENT_SIGN_IN_MINUTES',
  'SCAN_CONCURRENCY',
  'SHUTDOWN_DRAIN_MS',
  'UNAUTHENTICATED_RATE_LIMIT_PER_MINUTE',
  'WATCH_CONCURRENCY',
  'WATCH_MIN_MINUTES',
  'WEB_PORT',
  'WORKER_CONCURRENCY',
]);

/** Retired variables, and those that took their place. */
const REPLACED_VARIABLES = new Map([
  ['ML_HOST', 'INTERNAL_HOST'],
  ['OPERATIONS_HOST', 'INTERNAL_HOST'],
  ['WORKER_HOST', 'INTERNAL_HOST'],
  ['PUSH_ALLOW_PRIVATE_ADDRESSES', 'ALLOW_PRIVATE_ADDRESSES'],
  ['UNSUBSCRIBE_ALLOW_PRIVATE_ADDRESSES', 'ALLOW_PRIVATE_ADDRESSES'],
  ['WEBHOOK_ALLOW_PRIVATE_ADDRESSES', 'ALLOW_PRIVATE_ADDRESSES'],
]);

/** All names that mean something. */
const KNOWN = [...VARIABLES, ...FILE_VARIABLES];

const OWN_PREFIX = 'MAILSWEEP_';
/** Kubernetes sets these for a service whose name begins with ours. */
const SERVICE_LINK = /_SERVICE_HOST$|_PORT$|_PORT_/;
const MAX_DISTANCE = 2;
/** Shorter names of other programs are near by chance. */
const FEWEST_CHARACTERS = 9;

export interface SuspectVariable {
  variable: string;
  message: string;
  /** The known name that this one is close to. */
  didYouMean?: string;
  /** What took its place and says something else: ignoring the old one could open what it kept closed. */
  replacedBy?: string;
}

/** The variables that are no longer used, and unknown ones that look like a mistake. Values are never part of it. */
export const findSuspectVariables = (env: Record<string, string | undefined>): SuspectVariable[] =>
  Object.keys(env)
    .filter((variable) => env[variable] && !KNOWN.includes(variable))
    .flatMap((variable) => {
      const replacedBy = REPLACED_VARIABLES.get(variable);
      if (replacedBy !== undefined && env[variable] !== env[replacedBy])
        return {
          variable,
          replacedBy,
          message: `the variable ${variable} is no longer used: remove it, and set ${replacedBy} instead`,
        };
      if (replacedBy !== undefined || RETIRED_VARIABLES.has(variable))
        return { variable, message: `the variable ${variable} is no longer used: remove it` };
      const didYouMean = findNearest(variable);
      if (didYouMean !== undefined)
        return { variable, didYouMean, message: `unknown variable ${variable}: did you mean ${didYouMean}?` };
      return variable.startsWith(OWN_PREFIX) && !SERVICE_LINK.test(variable)
        ? { variable, message: `unknown variable ${variable}: docs/OPERATIONS.md lists all variables` }
        : [];
    });

const findNearest = (name: string): string | undefined =>
  KNOWN.filter(
    (known) =>
      known.length >= FEWEST_CHARACTERS &&
      // Comparing each of a process's variables with each of ours takes a tenth of a second of its start.
      Math.abs(known.length - name.length) <= MAX_DISTANCE,
  )
    .map((known) => ({ known, distance: distanceOf(name, known) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .toSorted((a, b) => a.distance - b.distance)[0]?.known;

/** The Levenshtein distance: characters to insert, delete or replace. */
const distanceOf = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      const replaced = (row[j] as number) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] as number) + 1, (next[j] as number) + 1));
    }
    row = next;
  }
  return row[b.length] as number;
};
