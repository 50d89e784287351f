import { ListAuditEntriesResponseSchema } from '../account/audit.ts';
import { EraseMeRequestSchema, PersonalDataExportSchema } from '../account/personal-data.ts';
import { PreferencesSchema, UpdatePreferencesRequestSchema } from '../account/preferences.ts';
import { MeSchema } from '../account/session.ts';
import { ListSessionsResponseSchema, SessionParamsSchema } from '../account/user-session.ts';
import { WatchSchema } from '../scans/watch.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
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
