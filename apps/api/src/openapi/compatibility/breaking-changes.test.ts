import { expect, test } from 'vitest';
import {
  change,
  DOCUMENT,
  type Edit,
  field,
  given,
  operation,
  optional,
  parameter,
  rename,
  schema,
  without,
} from '../../testing/document-edits.ts';
import { findBreakingChanges } from './breaking-changes.ts';

const BREAKING: Record<string, [Edit, change: string, place: string]> = {
  'renames a problem code': [
    (it) => {
      const known = given(field(it, 'Problem', 'code').anyOf?.[0]);
      known.enum = [...without(known.enum, 'wrong_state'), 'other_state'];
    },
    'the problem `wrong_state` is gone',
    'all operations',
  ],
  'removes a path': [
    (it) => delete it.paths['/api/v1/precision'],
    'the operation is gone',
    'GET /api/v1/precision',
  ],
  'removes an operation': [
    (it) => delete it.paths['/api/v1/rules/{id}']?.delete,
    'the operation is gone',
    'DELETE /api/v1/rules/{id}',
  ],
  'renames a path parameter': [
    (it) => rename(it.paths, '/api/v1/rules/{id}', '/api/v1/rules/{ruleId}'),
    'the operation is gone',
    'GET /api/v1/rules/{id}',
  ],
  'renames an operation': [
    (it) => {
      operation(it, 'get', 'precision').operationId = 'readPrecision';
    },
    'the operation `getPrecision` is called `readPrecision`',
    'GET /api/v1/precision',
  ],
  'removes a parameter': [
    (it) => {
      const { parameters } = operation(it, 'get', 'senders');
      given(parameters).splice(given(parameters).indexOf(parameter(it, 'get', 'senders', 'search')), 1);
    },
    'the query parameter `search` is gone',
    'request of GET /api/v1/senders',
  ],
  'adds a required parameter': [
    (it) =>
      given(operation(it, 'get', 'senders').parameters).push({ name: 'since', in: 'query', required: true }),
    'the query parameter `since` is required',
    'request of GET /api/v1/senders',
  ],
  'requires a parameter': [
    (it) => {
      parameter(it, 'get', 'senders', 'sort').required = true;
    },
    'the query parameter `sort` is required',
    'request of GET /api/v1/senders',
  ],
  'lowers a maximum of a parameter': [
    (it) => {
      given(parameter(it, 'get', 'senders', 'perPage').schema).maximum = 50;
    },
    '`maximum` of `perPage` was 100 and is 50',
    'request of GET /api/v1/senders',
  ],
  'changes a default': [
    (it) => {
      given(parameter(it, 'get', 'senders', 'perPage').schema).default = 10;
    },
    'left out, `perPage` was 20 and is 10',
    'request of GET /api/v1/senders',
  ],
  'removes a value of a parameter': [
    (it) => {
      const sort = given(parameter(it, 'get', 'senders', 'sort').schema);
      sort.enum = without(sort.enum, 'bytes');
    },
    'the value "bytes" of `sort` is gone',
    'request of GET /api/v1/senders',
  ],
  'adds a required field to a body': [
    (it) => {
      const body = schema(it, 'CreateTokenRequest');
      given(body.properties).reason = { type: 'string' };
      given(body.required).push('reason');
    },
    '`CreateTokenRequest.reason` is required',
    'request of POST /api/v1/me/tokens',
  ],
  'requires a field of a body': [
    (it) => given(schema(it, 'CreateTokenRequest').required).push('expiresInDays'),
    '`CreateTokenRequest.expiresInDays` is required',
    'request of POST /api/v1/me/tokens',
  ],
  'renames a field of a body': [
    (it) => rename(schema(it, 'CreateRuleRequest').properties, 'label', 'labelName'),
    '`CreateRuleRequest.label` is gone',
    'request of POST /api/v1/rules',
  ],
  'removes a value of a body': [
    (it) => {
      const action = field(it, 'CreateRuleRequest', 'action');
      action.enum = without(action.enum, 'mark_read');
    },
    'the value "mark_read" of `CreateRuleRequest.action` is gone',
    'request of POST /api/v1/rules',
  ],
  'takes only some values of a text': [
    (it) => {
      field(it, 'CreateTokenRequest', 'name').enum = ['script'];
    },
    '`CreateTokenRequest.name` takes only "script"',
    'request of POST /api/v1/me/tokens',
  ],
  'raises a minimum': [
    (it) => {
      field(it, 'CreateRuleRequest', 'olderThan').minimum = 1;
    },
    '`minimum` of `CreateRuleRequest.olderThan` was 0 and is 1',
    'request of POST /api/v1/rules',
  ],
  'adds a pattern': [
    (it) => {
      field(it, 'CreateTokenRequest', 'name').pattern = '^[a-z]+$';
    },
    '`pattern` of `CreateTokenRequest.name` was nothing and is "^[a-z]+$"',
    'request of POST /api/v1/me/tokens',
  ],
  'takes fewer items': [
    (it) => {
      field(it, 'UndoRequest', 'ids').maxItems = 100;
    },
    '`maxItems` of `UndoRequest.ids` was 1000 and is 100',
    'request of POST /api/v1/notifications/history/undo',
  ],
  'takes no null': [
    (it) => {
      given(schema(it, 'UpdatePreferencesRequest').properties).timeZone = { type: 'string', maxLength: 64 };
    },
    '`UpdatePreferencesRequest.timeZone` does not take null any more',
    'request of PATCH /api/v1/me/preferences',
  ],
  'takes another type': [
    (it) => {
      field(it, 'CreateTokenRequest', 'expiresInDays').type = 'string';
    },
    '`CreateTokenRequest.expiresInDays` does not take integer any more',
    'request of POST /api/v1/me/tokens',
  ],
  'takes one form less': [
    (it) => {
      const { oneOf } = schema(it, 'RuleCondition');
      given(oneOf).splice(1, 1);
    },
    '`RuleCondition` does not take object with `type` "classification" any more',
    'request of POST /api/v1/rules',
  ],
  'narrows a form': [
    (it) => given(schema(it, 'RuleCondition').oneOf?.[1]?.required).push('minConfidence'),
    '`RuleCondition.minConfidence` is required',
    'request of POST /api/v1/rules',
  ],
  'adds a constraint that the comparison does not know': [
    (it) => {
      schema(it, 'CreateTokenRequest').not = { required: ['expiresInDays'] };
    },
    '`not` of `CreateTokenRequest` has changed, which this comparison does not know',
    'request of POST /api/v1/me/tokens',
  ],
  'removes a field of a response': [
    (it) => delete schema(it, 'PersonalToken').properties?.lastUsedAt,
    '`PersonalToken.lastUsedAt` is gone',
    'response 200 of GET /api/v1/me/tokens',
  ],
  'renames a field of a response': [
    (it) => rename(schema(it, 'Rule').properties, 'olderThan', 'minAgeDays'),
    '`Rule.olderThan` is gone',
    'response 200 of GET /api/v1/rules/{id}',
  ],
  'removes a value of a response': [
    (it) => {
      const state = field(it, 'CleanupPlan', 'state');
      state.enum = without(state.enum, 'waiting');
    },
    'the value "waiting" of `CleanupPlan.state` is gone',
    'response 200 of POST /api/v1/cleanups',
  ],
  'can leave out a field of a response': [
    (it) => optional(schema(it, 'Rule'), 'olderThan'),
    '`Rule.olderThan` can be left out',
    'response 200 of GET /api/v1/rules/{id}',
  ],
  'can have null in a field of a response': [
    (it) => {
      field(it, 'Rule', 'olderThan').type = ['integer', 'null'];
    },
    '`Rule.olderThan` can be null',
    'response 200 of GET /api/v1/rules/{id}',
  ],
  'changes the type of a field of a response': [
    (it) => {
      field(it, 'Rule', 'olderThan').type = 'string';
    },
    '`Rule.olderThan` can be string',
    'response 200 of GET /api/v1/rules/{id}',
  ],
  'changes the format of a field of a response': [
    (it) => {
      field(it, 'PersonalToken', 'expiresAt').format = 'date';
    },
    '`format` of `PersonalToken.expiresAt` was "date-time" and is "date"',
    'response 200 of GET /api/v1/me/tokens',
  ],
  'removes a form of a response': [
    (it) => {
      const { oneOf } = schema(it, 'ItemResult');
      given(oneOf).splice(0, 1);
    },
    '`ItemResult` is never object with `status` "ok" any more',
    'response 200 of POST /api/v1/inbox/actions',
  ],
  'wraps the items of a list': [
    (it) => {
      const page = schema(it, 'RulePage');
      given(page.properties).data = {
        type: 'array',
        items: { type: 'object', properties: { rule: given(field(it, 'RulePage', 'data').items) } },
      };
    },
    '`Rule.id` is gone',
    'response 200 of GET /api/v1/rules',
  ],
  'changes problem documents': [
    (it) => rename(schema(it, 'Problem').properties, 'requestId', 'traceId'),
    '`Problem.requestId` is gone',
    'response 429 of GET /api/v1/rules',
  ],
  'removes a header of a response': [
    (it) => delete it.components.responses?.TooManyRequests?.headers?.['retry-after'],
    'the header `retry-after` is gone',
    'response 429 of GET /api/v1/rules',
  ],
  'responds with another status': [
    (it) => rename(operation(it, 'post', 'rules').responses, '200', '202'),
    'the response 200 is gone',
    'POST /api/v1/rules',
  ],
  'responds with another media type': [
    (it) =>
      rename(operation(it, 'get', 'rules').responses['200']?.content, 'application/json', 'application/xml'),
    'the media type application/json is gone',
    'response 200 of GET /api/v1/rules',
  ],
  'requires a body': [
    (it) => {
      given(operation(it, 'patch', 'me/preferences').requestBody).required = true;
    },
    'a body is required',
    'request of PATCH /api/v1/me/preferences',
  ],
  'raises the scope of an operation': [
    (it) => {
      operation(it, 'get', 'rules').security = [
        { sessionCookie: [] },
        { bearer: [] },
        { personalToken: ['act'] },
      ];
    },
    'it does not take `personalToken read` any more',
    'GET /api/v1/rules',
  ],
  'takes no tokens': [
    (it) => {
      operation(it, 'get', 'rules').security = [{ sessionCookie: [] }, { bearer: [] }];
    },
    'it does not take `personalToken read` any more',
    'GET /api/v1/rules',
  ],
  'needs a session': [
    (it) => {
      operation(it, 'get', 'health').security = [{ bearer: [] }];
    },
    'it does not take requests without authentication any more',
    'GET /api/v1/health',
  ],
  'needs a recent sign-in': [
    (it) => {
      operation(it, 'get', 'me/sessions')['x-recent-sign-in'] = true;
    },
    'it needs a recent sign-in',
    'GET /api/v1/me/sessions',
  ],
  'renames the session cookie': [
    (it) => {
      given(it.components.securitySchemes?.sessionCookie).name = 'sid';
    },
    'the security scheme `sessionCookie` is another one',
    'all operations',
  ],
};

test.each(Object.entries(BREAKING))('finds what %s', (_, [edit, expected, place]) => {
  const found = findBreakingChanges(DOCUMENT, change(edit));

  expect(found).toContainEqual({ change: expected, places: expect.arrayContaining([place]) });
});
