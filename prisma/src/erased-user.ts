import type { Database } from './client.ts';

/**
 * Whether a person has had everything erased. The database itself refuses rows of theirs; whoever sends data
 * out asks here first.
 */
export const isUserErased = async (database: Database, userId: string): Promise<boolean> =>
  (await database.erasedUser.count({ where: { id: userId } })) > 0;
