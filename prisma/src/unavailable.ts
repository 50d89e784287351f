import { Prisma } from '../generated/client.ts';

/** Prisma's codes for a database that can't be reached, is out of connections or too slow. */
const UNAVAILABLE_CODES = new Set(['P1001', 'P1002', 'P1008', 'P1011', 'P1017', 'P2024', 'P2028', 'P2037']);

/** Whether an error means that the database is out of reach, rather than that the query was wrong. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (error instanceof Prisma.PrismaClientInitializationError) return true;
  return error instanceof Prisma.PrismaClientKnownRequestError && UNAVAILABLE_CODES.has(error.code);
};
