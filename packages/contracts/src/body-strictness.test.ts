import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import {
  ConfirmRequestSchema,
  InboxActionRequestSchema,
  UndoRequestSchema,
} from './actions/mailbox-action.ts';
import { MAX_EMAIL_IDS } from './values/limits.ts';

const faultyPaths = (schema: z.ZodType, body: unknown) => [
  ...new Set(schema.safeParse(body).error?.issues.map((issue) => issue.path.join('.'))),
];

const numberedIds = (count: number) => Array.from({ length: count }, (_, index) => `id-${index}`);

describe.each([
  {
    name: 'an inbox action',
    schema: InboxActionRequestSchema,
    actions: ['archive', 'delete', 'mark_unread'],
  },
  { name: 'a confirmation', schema: ConfirmRequestSchema, actions: ['accept', 'reject'] },
])('the body of $name', ({ schema, actions }) => {
  const action = actions[0];

  it.each(actions)('takes the action %s', (known) => {
    expect(schema.safeParse({ emailIds: ['18c2f0'], action: known }).success).toBe(true);
  });

  it.each(['Archive', 'label', 'notify', 'mark_important', '', 1, null])(
    'refuses the action %j',
    (unknown) => {
      expect(faultyPaths(schema, { emailIds: ['18c2f0'], action: unknown })).toEqual(['action']);
    },
  );

  it('names each missing field', () => {
    expect(faultyPaths(schema, {})).toEqual(['emailIds', 'action']);
  });

  it.each([[[]], ['18c2f0'], [{ 0: '18c2f0' }], [null]])('refuses %j in place of email ids', (emailIds) => {
    expect(faultyPaths(schema, { emailIds, action })).toEqual(['emailIds']);
  });

  it.each([1, '', 'a/b', '../x', '.', '..', 'a b', 'a?b', 'a\u0000', 'é', 'x'.repeat(256)])(
    'refuses the email id %j',
    (id) => {
      expect(faultyPaths(schema, { emailIds: ['18c2f0', id], action })).toEqual(['emailIds.1']);
    },
  );

  it('takes 1,000 ids and refuses 1,001', () => {
    expect(schema.safeParse({ emailIds: numberedIds(MAX_EMAIL_IDS), action }).success).toBe(true);
    expect(faultyPaths(schema, { emailIds: numberedIds(MAX_EMAIL_IDS + 1), action })).toEqual(['emailIds']);
  });

  it('refuses fields that it does not know, those that would reach a prototype included', () => {
    expect(schema.safeParse({ emailIds: ['18c2f0'], action, force: true }).success).toBe(false);
    const polluting = JSON.parse(`{"emailIds":["18c2f0"],"action":"${action}","__proto__":{"admin":true}}`);
    expect(schema.safeParse(polluting).success).toBe(false);
  });

  it.each([[null], [[]], ['text'], [7], [undefined]])('refuses a body that is %j', (body) => {
    expect(schema.safeParse(body).success).toBe(false);
  });
});

describe('the body of an undo', () => {
  it('takes history record ids alone', () => {
    expect(UndoRequestSchema.safeParse({ ids: ['0197a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a6b'] }).success).toBe(true);
    expect(faultyPaths(UndoRequestSchema, { ids: ['18c2f0'] })).toEqual(['ids.0']);
    expect(faultyPaths(UndoRequestSchema, { ids: [] })).toEqual(['ids']);
  });
});
