import { z } from 'zod';

/** Response of `GET /api/v1/health`. */
export const HealthSchema = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
/** Response of `GET /api/v1/health/db`. */
export const DatabaseHealthSchema = z.object({ db: z.literal('ok') }).meta({ id: 'DatabaseHealth' });
