import {
  CleanupParamsSchema,
  CleanupPlanSchema,
  CleanupSchema,
  CreateCleanupRequestSchema,
  ListCleanupEmailsQuerySchema,
  ListCleanupEmailsResponseSchema,
  ListCleanupsResponseSchema,
} from '../actions/cleanup.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineRoutes } from './route-contract.ts';

export const CLEANUPS_ROUTES = defineRoutes({
  createCleanup: {
    method: 'post',
    path: '/api/v1/cleanups',
    body: CreateCleanupRequestSchema,
    response: CleanupPlanSchema,
    idempotent: true,
  },
  listCleanups: {
    method: 'get',
    path: '/api/v1/cleanups',
    query: PaginationQuerySchema,
    response: ListCleanupsResponseSchema,
  },
  getCleanup: {
    method: 'get',
    path: '/api/v1/cleanups/{id}',
    params: CleanupParamsSchema,
    response: CleanupPlanSchema,
    conditional: true,
  },
  listCleanupEmails: {
    method: 'get',
    path: '/api/v1/cleanups/{id}/emails',
    params: CleanupParamsSchema,
    query: ListCleanupEmailsQuerySchema,
    response: ListCleanupEmailsResponseSchema,
  },
  runCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/run',
    params: CleanupParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  pauseCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/pause',
    params: CleanupParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  resumeCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/resume',
    params: CleanupParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  cancelCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/cancel',
    params: CleanupParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  undoCleanup: {
    method: 'post',
    path: '/api/v1/cleanups/{id}/undo',
    params: CleanupParamsSchema,
    response: CleanupSchema,
    accepts: true,
    idempotent: true,
  },
});
