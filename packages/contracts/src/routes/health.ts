import { DatabaseHealthSchema, HealthSchema } from '../health.ts';
import { defineRoutes } from './route-contract.ts';

export const HEALTH_ROUTES = defineRoutes({
  checkHealth: {
    method: 'get',
    path: '/api/v1/health',
    isPublic: true,
    response: HealthSchema,
  },
  checkDatabaseHealth: {
    method: 'get',
    path: '/api/v1/health/db',
    isPublic: true,
    response: DatabaseHealthSchema,
  },
});
