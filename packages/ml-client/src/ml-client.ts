import type { MlRequestItem, Suggestion } from '@mailsweep/contracts';

const ML_FAILURE_CODES = [
  'ml_timeout',
  'ml_network',
  'ml_status',
  'ml_bad_response',
  'ml_too_large',
  'ml_circuit_open',
] as const;
/** Why the classification service gave no usable response; `ml_circuit_open`: it was not asked. */
export type MlFailureCode = (typeof ML_FAILURE_CODES)[number];

export const ML_OUTCOMES = ['ok', ...ML_FAILURE_CODES] as const;
export type MlOutcome = (typeof ML_OUTCOMES)[number];

/** The classification service is unavailable, in whatever way; the cause is kept. */
export class MlUnavailableError extends Error {
  override readonly name = 'MlUnavailableError';
  readonly code: MlFailureCode;
  /** The HTTP status of the response; set with code `ml_status` alone. */
  readonly status: number | undefined;

  constructor(code: MlFailureCode, message: string, options: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.code = code;
    this.status = options.status;
  }
}

export interface MlClient {
  /**
   * Suggestions by email id: only ids that were sent, an empty list where the service suggests nothing.
   *
   * @throws {MlUnavailableError} when no usable response came within the time budget, all attempts together
   */
  suggest(
    items: MlRequestItem[],
    context: { userId: string; requestId: string },
  ): Promise<Map<string, Suggestion[]>>;
}
