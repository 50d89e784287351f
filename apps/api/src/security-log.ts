import type { Logger } from '@mailsweep/service-kit';

/** Events that operators monitor; each is one log line with this as `securityEvent`. */
export type SecurityEvent =
  | 'signed_in'
  | 'sign_in_refused'
  | 'signed_out'
  | 'signed_out_everywhere'
  | 'session_revoked'
  | 'token_created'
  | 'token_revoked'
  | 'code_reused'
  | 'refresh_token_reused'
  | 'foreign_user_asked'
  | 'data_exported'
  | 'data_erased';

const LEVELS: Record<SecurityEvent, 'info' | 'warn'> = {
  signed_in: 'info',
  sign_in_refused: 'warn',
  signed_out: 'info',
  signed_out_everywhere: 'info',
  session_revoked: 'info',
  token_created: 'info',
  token_revoked: 'info',
  code_reused: 'warn',
  refresh_token_reused: 'warn',
  foreign_user_asked: 'warn',
  data_exported: 'info',
  data_erased: 'info',
};

/** Names the request, the user by their id alone, and never what they have. */
export interface SecurityEventFields {
  requestId: string;
  userId?: string;
  sessionId?: string;
  tokenId?: string;
  /** The session that was ended from another one. */
  revokedSessionId?: string;
  changedTokenId?: string;
  sessions?: number;
  tokens?: number;
  /** Whether an erasure reached the provider and the queue. */
  isGrantRevoked?: boolean;
  isQueueCleared?: boolean;
  err?: Error;
}

export type SecurityLog = (event: SecurityEvent, fields: SecurityEventFields) => void;

/** Logs the events that matter to security; only these lines have the field `securityEvent`. */
export const createSecurityLog =
  (logger: Logger): SecurityLog =>
  (event, fields) =>
    logger[LEVELS[event]]({ securityEvent: event, ...fields }, event.replaceAll('_', ' '));
