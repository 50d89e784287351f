import { z } from 'zod';

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

/** What the web server needs to know. */
export interface WebServerConfig {
  /** Port to listen on; 0 takes a free one. */
  port: number;
  /** Origin of the API, as the browser reaches it. */
  apiOrigin: string;
}

/**
 * Reads the configuration of the web server.
 *
 * @throws an Error that names every faulty variable and prints no value
 */
export const parseWebServerConfig = (environment: NodeJS.ProcessEnv = process.env): WebServerConfig => {
  const parsed = ConfigSchema.safeParse(environment);
  if (!parsed.success) {
    const errors = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new Error(`The web server's configuration is not valid.\n${errors.join('\n')}`);
  }
  return Object.freeze({ port: parsed.data.PORT, apiOrigin: parsed.data.API_ORIGIN });
};
