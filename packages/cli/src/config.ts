import process from 'node:process';

/** The variables of the process; the only module that reads them. */
export const ENVIRONMENT: Readonly<Record<string, string | undefined>> = process.env;
