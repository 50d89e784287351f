import { describe, expect, test } from 'vitest';
import {
  change,
  DOCUMENT,
  type Edit,
  field,
  given,
  operation,
  optional,
  rename,
  schema,
} from '../../testing/document-edits.ts';
import { describeBreakingChange, findBreakingChanges, isNewMajorVersion } from './breaking-changes.ts';
import { readReleasedDocument } from './released-document.ts';

const COMPATIBLE: Record<string, Edit> = {
  'adds an operation': (it) => {
    it.paths['/api/v1/new'] = { get: operation(it, 'get', 'rules') };
  },
  'adds an optional parameter': (it) =>
    given(operation(it, 'get', 'precision').parameters ?? []).push({ name: 'since', in: 'query' }),
  'adds an optional field to a body': (it) => {
    given(schema(it, 'CreateRuleRequest').properties).note = { type: 'string' };
  },
  'makes a field of a body optional': (it) => optional(schema(it, 'CreateRuleRequest'), 'olderThan'),
  'takes another value': (it) => given(field(it, 'CreateRuleRequest', 'action').enum).push('snooze'),
  'takes null': (it) => {
    field(it, 'CreateRuleRequest', 'label').type = ['string', 'null'];
  },
  'takes another form': (it) =>
    given(schema(it, 'RuleCondition').oneOf).push({
      type: 'object',
      properties: { type: { type: 'string', const: 'domain' } },
      required: ['type'],
    }),
  'takes fractions': (it) => {
    field(it, 'CreateRuleRequest', 'olderThan').type = 'number';
  },
  'raises a maximum': (it) => {
    field(it, 'UndoRequest', 'ids').maxItems = 2_000;
  },
  'removes a pattern': (it) => delete field(it, 'SubscribeToPushRequest', 'endpoint').pattern,
  'adds a field to a response': (it) => {
    given(schema(it, 'Rule').properties).note = { type: 'string' };
    given(schema(it, 'Rule').required).push('note');
  },
  'adds a value to a response': (it) => given(field(it, 'CleanupPlan', 'state').enum).push('archived'),
  'adds a form to a response': (it) =>
    given(schema(it, 'ItemResult').oneOf).push({
      type: 'object',
      properties: { status: { type: 'string', const: 'later' } },
      required: ['status'],
    }),
  'never has null in a field of a response': (it) => {
    given(schema(it, 'PersonalToken').properties).lastUsedAt = field(it, 'PersonalToken', 'createdAt');
  },
  'adds a status': (it) => {
    operation(it, 'get', 'rules').responses['418'] = {};
  },
  'lowers the scope of an operation': (it) => {
    operation(it, 'post', 'rules').security = [
      { sessionCookie: [] },
      { bearer: [] },
      { personalToken: ['act'] },
    ];
  },
  'takes tokens as well': (it) =>
    given(operation(it, 'get', 'me/audit').security).push({ personalToken: ['admin'] }),
  'changes words and examples': (it) => {
    Object.assign(field(it, 'Rule', 'olderThan'), { description: 'Days.', example: 9 });
  },
  'gives a schema another name': (it) => {
    rename(it.components.schemas, 'RuleCondition', 'Condition');
    field(it, 'CreateRuleRequest', 'condition').$ref = '#/components/schemas/Condition';
    const update = field(it, 'UpdateRuleRequest', 'condition');
    if (update.$ref) update.$ref = '#/components/schemas/Condition';
  },
};

test.each(Object.entries(COMPATIBLE))('passes what %s', (_, edit) => {
  expect(findBreakingChanges(DOCUMENT, change(edit))).toEqual([]);
});

test('passes the same document', () => {
  expect(findBreakingChanges(DOCUMENT, structuredClone(DOCUMENT))).toEqual([]);
});

describe('the present document', () => {
  test('breaks no client of the last release, unless it is a new major version', () => {
    const released = readReleasedDocument();
    const changes = isNewMajorVersion(released, DOCUMENT) ? [] : findBreakingChanges(released, DOCUMENT);

    expect(changes.map(describeBreakingChange)).toEqual([]);
  });
});

describe('isNewMajorVersion', () => {
  test.each([
    ['1', '2', true],
    ['1.4', '2.0', true],
    ['9', '10', true],
    ['1', '1', false],
    ['1.4', '1.5', false],
    ['2', '1', false],
  ])('from %s to %s: %s', (from, to, expected) => {
    const [before, after] = [from, to].map((version) => ({ ...DOCUMENT, info: { version } }));

    expect(isNewMajorVersion(given(before), given(after))).toBe(expected);
  });
});

describe('describeBreakingChange', () => {
  test('names three of the places', () => {
    const places = ['GET /a', 'GET /b', 'GET /c', 'GET /d', 'GET /e'];

    expect(describeBreakingChange({ change: 'the operation is gone', places })).toBe(
      'breaking change: the operation is gone (GET /a, GET /b, GET /c and 2 others)',
    );
  });
});
