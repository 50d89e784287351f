import { CleanupPlanSchema, CleanupSchema } from '../actions/cleanup.ts';
import {
  CreateRuleRequestSchema,
  ListRulesResponseSchema,
  RuleParamsSchema,
  RuleSchema,
  UpdateRuleRequestSchema,
} from '../actions/rule.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineRoutes, NoContentSchema } from './route-contract.ts';

export const RULES_ROUTES = defineRoutes({
  listRules: {
    method: 'get',
    path: '/api/v1/rules',
    query: PaginationQuerySchema,
    response: ListRulesResponseSchema,
  },
  createRule: {
    method: 'post',
    path: '/api/v1/rules',
    body: CreateRuleRequestSchema,
    response: RuleSchema,
    idempotent: true,
  },
  getRule: {
    method: 'get',
    path: '/api/v1/rules/{id}',
    params: RuleParamsSchema,
    response: RuleSchema,
  },
  updateRule: {
    method: 'patch',
    path: '/api/v1/rules/{id}',
    params: RuleParamsSchema,
    body: UpdateRuleRequestSchema,
    response: RuleSchema,
  },
  deleteRule: {
    method: 'delete',
    path: '/api/v1/rules/{id}',
    params: RuleParamsSchema,
    response: NoContentSchema,
  },
  previewRule: {
    method: 'post',
    path: '/api/v1/rules/{id}/preview',
    params: RuleParamsSchema,
    response: CleanupPlanSchema,
    idempotent: true,
  },
  runRule: {
    method: 'post',
    path: '/api/v1/rules/{id}/run',
    params: RuleParamsSchema,
    response: CleanupSchema,
    idempotent: true,
  },
  undoRule: {
    method: 'post',
    path: '/api/v1/rules/{id}/undo',
    params: RuleParamsSchema,
    response: RuleSchema,
    accepts: true,
    idempotent: true,
  },
});
