import { type Database, Prisma, readRows } from '@mailsweep/database';
import { RefusedError } from '../refused-error.ts';

/** Whether a user lets Mailsweep change their mailbox; also where there is no connection, as only a sign-in helps then. */
export const canChangeMailbox = async (database: Database, userId: string): Promise<boolean> => {
  const [row] = await readRows<{ canChange: boolean }>(
    database,
    Prisma.sql`SELECT "canChange" FROM "ProviderConnection" WHERE "userId" = ${userId}::uuid`,
  );
  return row?.canChange ?? true;
};

/**
 * Keeps a use case from changing the mailboxes of users who let Mailsweep only look: it is refused before anything is
 * written (docs/decisions/076).
 *
 * @param changes - whether a call would change the mailbox, where not each does
 */
export const requireCanChange =
  <Parameters extends [userId: string, ...unknown[]], Result>(
    database: Database,
    act: (...parameters: Parameters) => Promise<Result>,
    changes: (parameters: NoInfer<Parameters>) => boolean = () => true,
  ) =>
  async (...parameters: Parameters): Promise<Result> => {
    if (changes(parameters) && !(await canChangeMailbox(database, parameters[0])))
      throw new RefusedError(
        'read_only_access',
        'the user lets Mailsweep only look, until they allow changes in its settings',
      );
    return await act(...parameters);
  };
