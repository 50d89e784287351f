import { z } from 'zod';
import { Prisma } from '../generated/client.ts';

/** SQLSTATE `foreign_key_violation` (PostgreSQL manual, appendix A). */
const FOREIGN_KEY_VIOLATION = '23503';

const DriverAdapterMetaSchema = z.object({
  driverAdapterError: z.object({ cause: z.object({ originalCode: z.string().optional() }) }),
});

/**
 * Whether a row could not be written because its owner does not exist, as they were erased meanwhile. Every foreign key
 * of the schema refers to `User`.
 */
export const isOwnerMissing = (error: unknown): boolean => {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return false;
  const { originalCode } = DriverAdapterMetaSchema.safeParse(error.meta).data?.driverAdapterError.cause ?? {};
  return error.code === 'P2003' || originalCode === FOREIGN_KEY_VIOLATION;
};
