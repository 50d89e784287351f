import type { Prisma } from '@mailsweep/database';

/** A rule as it is stored. */
export type RuleRow = Prisma.RuleGetPayload<object>;
