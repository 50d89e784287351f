import {
  ListProtectionsResponseSchema,
  ProtectByNameRequestSchema,
  ProtectionParamsSchema,
  ProtectionSchema,
} from '../senders/protection.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineRoutes, NoContentSchema } from './route-contract.ts';

export const PROTECTIONS_ROUTES = defineRoutes({
  listProtections: {
    method: 'get',
    path: '/api/v1/protections',
    query: PaginationQuerySchema,
    response: ListProtectionsResponseSchema,
  },
  protectByName: {
    method: 'post',
    path: '/api/v1/protections',
    body: ProtectByNameRequestSchema,
    response: ProtectionSchema,
  },
  protectSender: {
    method: 'put',
    path: '/api/v1/protections/{id}',
    params: ProtectionParamsSchema,
    response: ProtectionSchema,
  },
  unprotectSender: {
    method: 'delete',
    path: '/api/v1/protections/{id}',
    params: ProtectionParamsSchema,
    response: NoContentSchema,
  },
});
