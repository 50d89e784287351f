import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Parser } from '@asyncapi/parser';
import { describe, expect, it } from 'vitest';
import { renderAsyncApi } from '../scripts/async-api-document.ts';
import { DomainEventTypeSchema, NotificationWebhookBodySchema } from './index.ts';

const text = readFileSync(join(import.meta.dirname, '../asyncapi.json'), 'utf8');

describe('the AsyncAPI document', () => {
  it('is that of the present schemas (otherwise run: pnpm run generate:json-schema)', () => {
    expect(text).toBe(renderAsyncApi());
  });

  it('has nothing that its own linter reports', async () => {
    const { document, diagnostics } = await new Parser().parse(text);
    expect(diagnostics.map(({ code, message, path }) => `${code} ${path.join('.')}: ${message}`)).toEqual([]);
    expect(document?.channels().all()).toHaveLength(3);
  });

  it('has every domain event, and every type of notification', () => {
    for (const type of [
      ...DomainEventTypeSchema.options,
      ...NotificationWebhookBodySchema.shape.type.options,
    ])
      expect(text).toContain(`"${type}"`);
  });
});
