import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FlagSchema, HttpUrlSchema, PortSchema, parseConfig, SecretSchema } from './config.ts';
import { ConfigError } from './variables.ts';

const Schema = z.object({
  NAME: z.string().min(3).max(10),
  URL: HttpUrlSchema,
  PORT: PortSchema,
  SECRET: SecretSchema,
  IS_OPEN: FlagSchema.default(false),
  LEVEL: z.enum(['low', 'high']).default('low'),
  COUNT: z.coerce.number().int().min(1).max(5).optional(),
});
const GOOD = { NAME: 'name', URL: 'https://a.example/', PORT: '80', SECRET: 's'.repeat(32) };

describe('reading the configuration', () => {
  test('parses, fills in defaults and freezes', () => {
    const config = parseConfig(Schema, { ...GOOD, IS_OPEN: 'true', COUNT: '2', OTHER: 'ignored' });

    expect(config).toEqual({
      NAME: 'name',
      URL: 'https://a.example',
      PORT: 80,
      SECRET: GOOD.SECRET,
      IS_OPEN: true,
      LEVEL: 'low',
      COUNT: 2,
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('takes an empty variable for one that is not there', () => {
    expect(parseConfig(Schema, { ...GOOD, LEVEL: '', COUNT: '' })).not.toHaveProperty('COUNT');
    expect(faultsOf({ ...GOOD, NAME: '' })).toEqual(['NAME: is required']);
  });

  test('names all errors at once, each with what is expected', () => {
    expect(
      faultsOf({
        NAME: 'ab',
        URL: 'ftp://a.example',
        SECRET: 'short',
        IS_OPEN: 'yes',
        LEVEL: 'medium',
        COUNT: '6',
      }),
    ).toEqual([
      'NAME: must be at least 3',
      'URL: must be a valid url',
      'PORT: is required',
      'SECRET: must be at least 32 bytes long',
      'IS_OPEN: must be one of true, false',
      'LEVEL: must be one of low, high',
      'COUNT: must be at most 5',
    ]);
  });

  test('repeats no value, whatever the error', () => {
    const value = 'hunter2';
    const env = Object.fromEntries(Object.keys(Schema.shape).map((name) => [name, value]));

    expect(faultsOf({ ...env, NAME: 'hunter2-hunter2' }).join()).not.toContain(value);
  });

  test('says how many errors there are, under a stable code', () => {
    expect(() => parseConfig(Schema, {})).toThrow(
      expect.objectContaining({
        code: 'invalid_configuration',
        message: expect.stringMatching(/^The configuration has 4 error\(s\):\n/),
      }),
    );
  });
});

describe('a port', () => {
  test.each(['0', '65536', '-1', '80.5', 'http', ' '])('is not %j', (PORT) => {
    expect(faultsOf({ ...GOOD, PORT })).toEqual([expect.stringMatching(/^PORT: /)]);
  });
});

describe('a secret', () => {
  test('is counted in bytes', () => {
    expect(parseConfig(Schema, { ...GOOD, SECRET: 'ü'.repeat(16) }).SECRET).toHaveLength(16);
    expect(faultsOf({ ...GOOD, SECRET: 's'.repeat(31) })).toHaveLength(1);
  });
});

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    parseConfig(Schema, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [, ...errors] = (error as ConfigError).message.split('\n');
    return errors.map((error) => error.trim());
  }
  throw new Error('the configuration was accepted');
};
