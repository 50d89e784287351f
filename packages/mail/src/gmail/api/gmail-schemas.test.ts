import { describe, expect, it } from 'vitest';
import { MESSAGE_FIELDS, MessageListSchema, MessageSchema } from './gmail-requests.ts';

describe('the field mask of a message', () => {
  it('asks for the MIME parts of at least six levels', () => {
    expect(MESSAGE_FIELDS.split('parts(').length - 1).toBeGreaterThanOrEqual(6);
  });

  it('never asks for the data of a body', () => {
    const bodyMasks = [...MESSAGE_FIELDS.matchAll(/body\(([^)]*)\)/g)].map(([, fields]) => fields);
    expect(new Set(bodyMasks)).toEqual(new Set(['size,attachmentId']));
    expect(MESSAGE_FIELDS).not.toMatch(/data|raw/);
  });

  it('closes every bracket it opens', () => {
    expect(MESSAGE_FIELDS.split('(').length).toBe(MESSAGE_FIELDS.split(')').length);
  });
});

describe('the response of messages.get', () => {
  it('loses the data of every body, even when the server ignores the mask', () => {
    const part = { mimeType: 'text/plain', body: { size: 6, data: 'c2VjcmV0' } };
    const message = MessageSchema.parse({ id: 'm1', raw: 'c2VjcmV0', payload: { ...part, parts: [part] } });
    expect(JSON.stringify(message)).not.toContain('c2VjcmV0');
    expect(message.payload?.parts?.[0]?.body).toEqual({ size: 6 });
  });

  it('may lack everything but the id', () => {
    expect(MessageSchema.safeParse({ id: 'm1' }).success).toBe(true);
    expect(MessageSchema.safeParse({ id: 'm1', payload: null, labelIds: null }).success).toBe(true);
    expect(MessageSchema.safeParse({}).success).toBe(false);
  });
});

describe('the response of messages.list', () => {
  it('may be empty', () => {
    expect(MessageListSchema.safeParse({ messages: null }).success).toBe(true);
    expect(MessageListSchema.safeParse({}).success).toBe(true);
  });
});
