import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { listenOnLoopback, loopbackUrl, writeFileAtomically } from '@mailsweep/service-kit';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { z } from 'zod';
import type { StackPlan } from '../parts/stack-plan.ts';
import { findPort } from '../ports.ts';
import { readEnvironment } from '../stack-config.ts';
import { type Checked, checkGoogleClient, checkJmapServer } from './checks.ts';
import { renderRefusal, renderStart, renderStep } from './pages.ts';
import { GOOGLE_STEPS, JMAP_STEP, SCOPES, WORDS } from './texts.ts';

const GOOGLE_ISSUER = 'https://accounts.google.com';
const TOKEN_BYTES = 16;
const BODY_LIMIT = '32kb';
const TextSchema = z.string().max(20_000);
const GoogleSchema = z.strictObject({ file: TextSchema, clientId: TextSchema, clientSecret: TextSchema });
const JmapSchema = z.strictObject({ sessionUrl: TextSchema, token: TextSchema });

const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Refuses what another site makes a browser send: a name of its own that leads here (DNS rebinding), or another Origin. */
const createSiteGuard = (url: string): RequestHandler => {
  const { host, origin } = new URL(url);
  return (request, response, next) => {
    response.set(HEADERS);
    const { headers, method } = request;
    const isOwn = headers.origin === origin || (headers.origin === undefined && method === 'GET');
    if (headers.host === host && isOwn) next();
    else response.status(403).send(renderRefusal());
  };
};

const PLAIN_VALUE = /^[\w.:/@-]*$/;

/** Sets variables in a file of variables, and leaves all other lines as they are. */
const saveVariables = (path: string, variables: Record<string, string>): void => {
  // A link stays one.
  const file = existsSync(path) ? realpathSync(path) : path;
  let text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  for (const [name, value] of Object.entries(variables)) {
    const line = `${name}=${PLAIN_VALUE.test(value) ? value : `'${value}'`}`;
    const known = new RegExp(`^[ \\t]*(?:export[ \\t]+)?${name}[ \\t]*=.*$`, 'gm');
    if (known.test(text)) text = text.replace(known, () => line);
    else text += `${text === '' || text.endsWith('\n') ? '' : '\n'}${line}\n`;
  }
  writeFileAtomically(file, text);
};

type ShownPlan = Pick<StackPlan, 'redirectUri' | 'frontendOrigin' | 'environment'>;

/**
 * Serves pages that lead to a mailbox of one’s own, on this machine alone, to who has their address.
 *
 * @param options.envFile - what it writes
 * @param options.stackFile - exists while the stack responds
 */
export const openSetup = async (options: { envFile: string; stackFile: string }) => {
  const { envFile, stackFile } = options;
  const port = await findPort({ preferred: 0 });
  const origin = loopbackUrl(port);
  const path = `/${randomBytes(TOKEN_BYTES).toString('hex')}`;
  let shown: ShownPlan = { redirectUri: origin, frontendOrigin: origin, environment: {} };
  let isStarting = true;
  let saved = Promise.withResolvers<'saved'>();
  let signInQuery = '';

  /** What is sent back; without faults, the stack starts again. */
  const save = ({ faults, variables }: Checked, query = ''): Pick<Checked, 'faults'> => {
    if (variables === undefined) return { faults };
    saveVariables(envFile, variables);
    const current = readEnvironment({ envFile });
    const hidden = Object.keys(variables).find((name) => current[name] !== variables[name]);
    if (hidden !== undefined) return { faults: [WORDS.overridden.replace('…', hidden)] };
    signInQuery = query;
    isStarting = true;
    saved.resolve('saved');
    return { faults };
  };

  const app = express();
  app.disable('x-powered-by');
  app.use(createSiteGuard(origin), express.json({ limit: BODY_LIMIT }));
  const pages = express.Router({ strict: true });
  pages.get('/', (request, response) => {
    // Links of the pages are relative.
    if (request.originalUrl === path) response.redirect(`${path}/`);
    else response.send(renderStart());
  });
  for (const file of ['setup.css', 'setup.js'])
    pages.get(`/${file}`, (_request, response) => response.sendFile(join(import.meta.dirname, file)));
  for (const step of [...GOOGLE_STEPS, JMAP_STEP])
    pages.get(`/${step.key}`, (_request, response) => {
      const { redirectUri } = shown;
      response.send(renderStep(step, { redirectUri, origin: new URL(redirectUri).origin, scopes: SCOPES }));
    });
  pages.get('/state', (_request, response) => {
    const isReady = !isStarting && existsSync(stackFile);
    response.json({ signInUrl: isReady ? `${shown.frontendOrigin}/sign-in${signInQuery}` : null });
  });
  pages.post(['/google', '/jmap'], async (request, response) => {
    if (isStarting) {
      response.json({ faults: [WORDS.restarting] });
      return;
    }
    const { redirectUri, environment } = shown;
    if (request.path === '/google') {
      const issuer = environment.OAUTH_ISSUER ?? GOOGLE_ISSUER;
      const given = GoogleSchema.parse(request.body);
      response.json(save(await checkGoogleClient(given, { issuer, redirectUri })));
      return;
    }
    const providers = readEnvironment({ envFile }).JMAP_PROVIDERS;
    const checked = await checkJmapServer(JmapSchema.parse(request.body), { providers, redirectUri });
    response.json(save(checked, `?provider=${checked.provider}`));
  });
  app.use(path, pages);
  app.use((_request, response) => void response.status(404).send(renderRefusal()));
  // What went wrong is not for who sent it.
  const respondToError: ErrorRequestHandler = (error, _request, response, _next) => {
    const words = error instanceof z.ZodError ? z.prettifyError(error) : 'The request could not be handled.';
    response.status(400).json({ faults: [words] });
  };
  app.use(respondToError);
  const { close } = await listenOnLoopback(app, port);
  return {
    url: `${origin}${path}/`,
    /** Speaks of this stack from now on. Resolves once there are variables for the next one. */
    follow(plan: ShownPlan): Promise<'saved'> {
      shown = plan;
      isStarting = false;
      saved = Promise.withResolvers();
      return saved.promise;
    },
    close,
  };
};
