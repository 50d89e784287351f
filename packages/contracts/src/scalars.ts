import { z } from 'zod';

/** An instant as ISO 8601 text in UTC, for example `2026-01-31T09:30:00.000Z`. */
export const TimestampSchema = z.iso.datetime({ offset: true }).meta({ example: '2026-01-31T09:30:00.000Z' });
