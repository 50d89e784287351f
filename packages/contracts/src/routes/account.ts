import { ListAuditEntriesResponseSchema } from '../audit.ts';
import { EraseMeRequestSchema, PersonalDataExportSchema } from '../personal-data.ts';
import { PreferencesSchema, UpdatePreferencesRequestSchema } from '../preferences.ts';
import { PaginationQuerySchema } from '../record-queries.ts';
import { MeSchema } from '../session.ts';
import { ListSessionsResponseSchema, SessionParamsSchema } from '../user-session.ts';
import { WatchSchema } from '../watch.ts';
import { defineRoutes, NoContentSchema } from './route-contract.ts';

export const ACCOUNT_ROUTES = defineRoutes({
  getMe: {
    method: 'get',
    path: '/api/v1/me',
    response: MeSchema,
  },
  getPreferences: {
    method: 'get',
    path: '/api/v1/me/preferences',
    response: PreferencesSchema,
  },
  updatePreferences: {
    method: 'patch',
    path: '/api/v1/me/preferences',
    body: UpdatePreferencesRequestSchema,
    response: PreferencesSchema,
  },
  getWatch: {
    method: 'get',
    path: '/api/v1/watch',
    response: WatchSchema,
  },
  exportMe: {
    method: 'get',
    path: '/api/v1/me/export',
    response: PersonalDataExportSchema,
  },
  eraseMe: {
    method: 'delete',
    path: '/api/v1/me',
    body: EraseMeRequestSchema,
    response: NoContentSchema,
  },
  listSessions: {
    method: 'get',
    path: '/api/v1/me/sessions',
    query: PaginationQuerySchema,
    response: ListSessionsResponseSchema,
  },
  revokeSession: {
    method: 'delete',
    path: '/api/v1/me/sessions/{id}',
    params: SessionParamsSchema,
    response: NoContentSchema,
  },
  listAuditEntries: {
    method: 'get',
    path: '/api/v1/me/audit',
    query: PaginationQuerySchema,
    response: ListAuditEntriesResponseSchema,
  },
});
