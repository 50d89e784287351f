import { z } from 'zod';

export const CSP_NONCE_PLACEHOLDER = '__CSP_NONCE__';
/** Where the server writes the API's origin. */
export const API_ORIGIN_PLACEHOLDER = '__API_ORIGIN__';

const ConfigSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(5173),
  API_ORIGIN: z
    .url({ protocol: /^https?$/ })
    .refine(
      (text) => new URL(text).origin === text,
      'must be an origin such as https://api.example.org, without a path',
    )
    .default('http://localhost:3000'),
});

export interface WebServerConfig {
  /** Port to listen on; 0 takes a free one. */
  port: number;
  /** Origin of the API, as the browser reaches it. */
  apiOrigin: string;
}

/** @throws an Error that names every faulty variable and prints no value */
export const parseWebServerConfig = (environment: NodeJS.ProcessEnv = process.env): WebServerConfig => {
  const parsed = ConfigSchema.safeParse(environment);
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The web server's configuration is not valid.\n${errors.join('\n')}`);
  }
  return Object.freeze({ port: parsed.data.PORT, apiOrigin: parsed.data.API_ORIGIN });
};
