import type { Database } from './client.ts';

/**
 * Whether a user was erased. The database itself refuses rows of an erased user; check this before sending data about
 * a user to another service.
 */
export const isUserErased = async (database: Database, userId: string): Promise<boolean> =>
  (await database.erasedUser.count({ where: { id: userId } })) > 0;
