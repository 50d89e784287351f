import { DatabaseHealthSchema, HealthSchema } from '../health.ts';
import { defineSection } from './route-contract.ts';

export const HEALTH_SECTION = defineSection({
  tag: 'Health',
  description: 'Checks for load balancers and monitoring. They need no session.',
  routes: {
    checkHealth: {
      method: 'get',
      path: '/api/v1/health',
      access: 'public',
      isUnlimited: true,
      response: HealthSchema,
      summary: 'Check the process',
      description: [
        'Returns 200 while the API process is alive. It checks nothing else and has no rate limit; it responds even while other requests are refused because of overload.',
      ],
    },
    checkDatabaseHealth: {
      method: 'get',
      path: '/api/v1/health/db',
      access: 'public',
      response: DatabaseHealthSchema,
      summary: 'Check the database',
      description: [
        'Returns 200 while the database is reachable, and 503 `database_unavailable` otherwise. The result is reused for one second. A client address may send 300 requests per minute by default.',
      ],
    },
  },
});
