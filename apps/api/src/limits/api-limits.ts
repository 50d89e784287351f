const SLOTS = 500;
const RECENT_SIGN_IN_MINUTES = 10;
/** A browser opens six connections to an origin; more are of use to programs alone. */
const LEAST_IN_FLIGHT_PER_USER = 10;
/** Users that may share an address with each of them at the limit. */
const USERS_PER_ADDRESS = 10;
/** A client fails more often than it signs in. */
const FAILURES_PER_SIGN_IN = 10;

/** Limits that are no variables; some are derived from one. Tests give others. */
export interface ApiLimits {
  /** Requests worked on at once before further ones get 503; mailbox routes get four fifths of them, others two. */
  slots: number;
  /** Requests of one user whose responses are not read yet, before further ones get 429. */
  inFlightPerUser: number;
  /** Requests of one client address whose responses are not read yet, before further ones get 429. */
  inFlightPerAddress: number;
  /** Requests per address that fail with 401 or 404, and checks of the database per address. */
  failuresPerMinute: number;
  /** How old a sign-in may be for an export or an erasure. */
  recentSignInMinutes: number;
  /** Most database connections of a process; absent: the default of the database's client. */
  databasePoolSize?: number;
  /** How long the circuit breakers of the classification services stay open, in milliseconds; absent: the client's default. */
  breakerPauseMs?: number;
}

export const toApiLimits = (variables: {
  API_RATE_LIMIT_PER_MINUTE: number;
  AUTH_RATE_LIMIT_PER_MINUTE: number;
}): ApiLimits => {
  // As many as the user may send in a second.
  const inFlightPerUser = Math.max(
    LEAST_IN_FLIGHT_PER_USER,
    Math.ceil(variables.API_RATE_LIMIT_PER_MINUTE / 60),
  );
  return {
    slots: SLOTS,
    inFlightPerUser,
    inFlightPerAddress: USERS_PER_ADDRESS * inFlightPerUser,
    failuresPerMinute: FAILURES_PER_SIGN_IN * variables.AUTH_RATE_LIMIT_PER_MINUTE,
    recentSignInMinutes: RECENT_SIGN_IN_MINUTES,
  };
};
