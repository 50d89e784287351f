import { z } from 'zod';
import { Prisma } from '../generated/client.ts';

/** Prisma's code for a serialization failure or a deadlock, and how its driver adapter calls them in raw queries. */
const CONFLICT_CODE = 'P2034';
const CONFLICT_KIND = 'TransactionWriteConflict';

const DriverAdapterMetaSchema = z.object({
  driverAdapterError: z.object({ cause: z.object({ kind: z.string() }) }),
});

/** Whether a transaction failed only because another one was in its way; it may be tried again. */
export const isWriteConflict = (error: unknown): boolean =>
  error instanceof Prisma.PrismaClientKnownRequestError &&
  (error.code === CONFLICT_CODE ||
    DriverAdapterMetaSchema.safeParse(error.meta).data?.driverAdapterError.cause.kind === CONFLICT_KIND);
