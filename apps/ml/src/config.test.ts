import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const INTERNAL_JWT_SECRET = 'a secret that two services share, at least 32 bytes';

describe('the configuration', () => {
  it('needs a port and the shared secret, and logs at level info', () => {
    expect(readConfig({ PORT: '8000', INTERNAL_JWT_SECRET })).toEqual({
      PORT: 8_000,
      INTERNAL_HOST: '127.0.0.1',
      INTERNAL_JWT_SECRET,
      LOG_LEVEL: 'info',
    });
  });

  it('names every invalid variable at once and repeats no value', () => {
    const read = () => readConfig({ PORT: 'eighty', INTERNAL_JWT_SECRET: 'too short', LOG_LEVEL: 'loud' });
    expect(read).toThrowError(/PORT[\s\S]*INTERNAL_JWT_SECRET[\s\S]*LOG_LEVEL/);
    expect(read).not.toThrowError(/eighty|too short|loud/);
  });
});
