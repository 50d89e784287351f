export { Prisma } from '../generated/client.ts';
export { type Database, openDatabase, type Transaction } from './client.ts';
export {
  explainDatabaseError,
  isDatabaseUnavailable,
  isOwnerMissing,
  isWriteConflict,
} from './database-errors.ts';
export {
  databaseVariables,
  missingDatabaseVariables,
  requireDatabase,
  toDatabaseUrl,
} from './database-url.ts';
export { isUserErased } from './erased-user.ts';
export { listenToChannel } from './listen.ts';
export { pingDatabase } from './ping.repository.ts';
export { readRows, writeRows } from './prepared-statements.ts';
