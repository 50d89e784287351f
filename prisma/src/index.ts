export { Prisma } from '../generated/client.ts';
export { type Database, openDatabase, type Transaction } from './client.ts';
export {
  databaseVariables,
  missingDatabaseVariables,
  requireDatabase,
  toDatabaseUrl,
} from './database-url.ts';
export { isUserErased } from './erased-user.ts';
export { isOwnerMissing } from './missing-owner.ts';
export { pingDatabase } from './ping.repository.ts';
export { readRows, writeRows } from './prepared-statements.ts';
export { isDatabaseUnavailable } from './unavailable.ts';
export { isWriteConflict } from './write-conflict.ts';
