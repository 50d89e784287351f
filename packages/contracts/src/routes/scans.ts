import {
  ListScansResponseSchema,
  ScanParamsSchema,
  ScanSchema,
  StartScanRequestSchema,
} from '../scans/scan.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineRoutes } from './route-contract.ts';

export const SCANS_ROUTES = defineRoutes({
  startScan: {
    method: 'post',
    path: '/api/v1/scans',
    body: StartScanRequestSchema,
    response: ScanSchema,
    accepts: true,
    idempotent: true,
  },
  listScans: {
    method: 'get',
    path: '/api/v1/scans',
    query: PaginationQuerySchema,
    response: ListScansResponseSchema,
  },
  getScan: {
    method: 'get',
    path: '/api/v1/scans/{id}',
    params: ScanParamsSchema,
    response: ScanSchema,
    conditional: true,
  },
  cancelScan: {
    method: 'post',
    path: '/api/v1/scans/{id}/cancel',
    params: ScanParamsSchema,
    response: ScanSchema,
    idempotent: true,
  },
});
