/** The validation library by itself, for the same reason; one name brings along what the contracts use. */
export { object } from 'zod';
