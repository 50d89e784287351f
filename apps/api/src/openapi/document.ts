import { API_SECTIONS, SESSION_COOKIE, TOKEN_PREFIX } from '@mailsweep/contracts';
import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import { AUTHORIZATION_PATHS } from './authorization-server.ts';
import { INTRODUCTION } from './introduction.ts';
import { SESSION_SECURITY, toOperation } from './operation.ts';
import { SIGN_IN_TAG } from './redirect.ts';
import { SIGN_IN_PATHS } from './sign-in.ts';

export const API_TITLE = 'Mailsweep API';

const ROUTES = API_SECTIONS.flatMap(({ tag, routes }) =>
  Object.entries(routes).map(([name, route]) => ({ tag, name, route })),
);

const toPaths = (): ZodOpenApiPathsObject => {
  const paths: ZodOpenApiPathsObject = { ...SIGN_IN_PATHS, ...AUTHORIZATION_PATHS };
  for (const { tag, name, route } of ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method]: toOperation(name, tag, route) };
  }
  return paths;
};

type Document = ReturnType<typeof createDocument>;

/** Adds the examples of parameters, which the schemas that check them cannot carry. */
const addParameterExamples = (document: Document): Document => {
  for (const { route } of ROUTES) {
    const examples: Partial<Record<string, unknown>> = {
      ...route.examples?.params,
      ...route.examples?.query,
    };
    for (const parameter of document.paths?.[route.path]?.[route.method]?.parameters ?? []) {
      if ('name' in parameter && parameter.name in examples) parameter.example = examples[parameter.name];
    }
  }
  return document;
};

/** The OpenAPI 3.1 document of the API, from the same schemas that check its requests. */
export const createOpenApiDocument = (): Document =>
  addParameterExamples(
    createDocument({
      openapi: '3.1.1',
      info: {
        title: API_TITLE,
        version: '1',
        description: INTRODUCTION,
        contact: { name: 'The operator of this installation' },
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/', description: 'This installation' }],
      tags: [SIGN_IN_TAG, ...API_SECTIONS.map(({ tag: name, description }) => ({ name, description }))],
      security: SESSION_SECURITY,
      components: {
        securitySchemes: {
          sessionCookie: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description: 'Set at the end of the sign-in; browsers send it by themselves.',
          },
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'The session token, for clients other than browsers.',
          },
          personalToken: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: `${TOKEN_PREFIX}…`,
            description:
              'A personal access token, made in the settings or with `POST /api/v1/me/tokens`, or given to a program by `/oauth/token`. Operations name the scope that it needs, as a role: `read`, `act` or `admin`; each includes those before it. Operations that do not name this scheme take no token.',
          },
        },
      },
      paths: toPaths(),
    }),
  );
