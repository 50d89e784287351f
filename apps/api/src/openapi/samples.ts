import { inspect } from 'node:util';
import type { RouteContract } from '@mailsweep/contracts';

/** A program that calls an operation, as `x-codeSamples` of documentation pages has it. */
export interface CodeSample {
  lang: string;
  label: string;
  source: string;
}

const JSON_HEADER = "-H 'content-type: application/json'";

const credentialsOf = ({ access }: RouteContract): string | undefined => {
  if (access === 'public') return undefined;
  const needsSession = access === 'session' || access === 'recent_sign_in';
  return needsSession ? '-b "session_token=$SESSION_TOKEN"' : '-H "authorization: Bearer $TOKEN"';
};

/** The first body that the documentation shows. */
const bodyOf = ({ examples }: RouteContract): unknown => Object.values(examples?.bodies ?? {})[0];

/** In single quotes of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const toCurl = (route: RouteContract): string => {
  const { method, examples } = route;
  const parameters: Record<string, unknown> = { ...examples?.params };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${parameters[name]}`));
  const query = Object.entries(examples?.query ?? {}).map(([name, value]) => `${name}=${value}`);
  const body = bodyOf(route);
  const words = [
    'curl',
    method === 'get' || (method === 'post' && body) ? undefined : `-X ${method.toUpperCase()}`,
    credentialsOf(route),
    method === 'get' ? undefined : JSON_HEADER,
    `"$API${path}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
  ];
  const call = words.filter((word) => word !== undefined).join(' ');
  return body === undefined ? call : `${call} \\\n  -d ${quote(JSON.stringify(body))}`;
};

const toTypeScript = (name: string, route: RouteContract): string => {
  const { params, query } = route.examples ?? {};
  const input = Object.entries({ params, query, body: bodyOf(route) }).filter(([, value]) => value);
  const text = inspect(Object.fromEntries(input), { depth: null, breakLength: 80, maxArrayLength: null });
  return `await client.${name}(${input.length > 0 ? text : ''});`;
};

/** An operation with curl, and with `@mailsweep/client`. */
export const samplesOf = (name: string, route: RouteContract): CodeSample[] => [
  { lang: 'Shell', label: 'curl', source: toCurl(route) },
  { lang: 'TypeScript', label: '@mailsweep/client', source: toTypeScript(name, route) },
];
