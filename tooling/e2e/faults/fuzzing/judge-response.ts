import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type ApiDescription, type JsonSchema, resolveSchema } from './api-description.ts';
import { asRead, type FuzzedRequest } from './fuzzed-request.ts';
import type { RawResponse } from './raw-exchange.ts';

const DOCUMENT_ID = 'openapi.json';
const JSON_TYPES = ['application/json', 'application/problem+json'];

/** What HTTP itself may make of a request, besides what its operation declares. */
const PROTOCOL_STATUSES = [400, 401, 403, 404, 413, 414, 415, 417, 431];
/** What only a request under another method may get: a preflight, or that the path does not take it. */
const OTHER_METHOD_STATUSES = [204, 405];
/** Traces of our insides. */
const INSIDES =
  /node_modules|\.[cm]?[tj]s:\d|\bat \w+[\w.<>]* \(|\bPrisma|\bECONN|postgres(ql)?:\/\/|TypeError|SyntaxError/;

/** Longest request head that Node reads; beyond it the request is refused before any of us sees it. */
const MAX_HEAD_BYTES = 16 * 1024;
const MAX_BODY_BYTES = 256 * 1024;
/** Ignores what it does not know, and names what is wrong by a redirection (RFC 6749, sections 3.1 and 4.1.2.1). */
const AUTHORIZATION_PATH = '/oauth/authorize';
/** What as many arrays take at least as a body may have inside each other. */
const COMPLEX_BODY_BYTES = 2 * 32;

const isDecodable = (target: string): boolean => {
  try {
    decodeURIComponent(target.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
};

/** What the text of a parameter stands for; a text that is no value of the schema's type stays one. */
const readParameter = ({ type }: JsonSchema, text: string): unknown => {
  if (type === 'integer') return /^\d{1,15}$/.test(text) ? Number(text) : text;
  if (type === 'number') return /^\d{1,15}(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return ['true', 'false'].includes(text) ? text === 'true' : text;
  return text;
};

/**
 * Holds responses against the document.
 *
 * @param secrets - texts of other people, which no response may hold
 * @returns what is wrong with the response to a request; an empty list when nothing is
 */
export const createJudge = (description: ApiDescription, secrets: readonly string[]) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(description as AnySchema, DOCUMENT_ID);
  const compiled = new Map<string, ValidateFunction>();
  const validatorAt = (...pointer: string[]): ValidateFunction => {
    const path = pointer
      .map((key) => key.replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent);
    const $ref = `${DOCUMENT_ID}#/${path.join('/')}`;
    const validate = compiled.get($ref) ?? ajv.compile({ $ref });
    compiled.set($ref, validate);
    return validate;
  };
  const compiledSchemas = new WeakMap<JsonSchema, ValidateFunction>();
  const validatorOf = (schema: JsonSchema): ValidateFunction => {
    const known = compiledSchemas.get(schema);
    if (known !== undefined) return known;
    const bound = JSON.parse(JSON.stringify(schema).replaceAll('"#/', `"${DOCUMENT_ID}#/`)) as AnySchema;
    const validate = ajv.compile(bound);
    compiledSchemas.set(schema, validate);
    return validate;
  };
  const problemValidator = validatorAt('components', 'schemas', 'Problem');

  /** The fields of a request's values that the document does not allow, place by place. */
  const findFaultyFields = ({ operation, params, query, value }: FuzzedRequest): string[][] => {
    const isFaulty = (schema: JsonSchema | undefined, text: string) =>
      schema === undefined || !validatorOf(schema)(readParameter(schema, text));
    const schemaOf = (place: string, name: string) =>
      operation.parameters.find((parameter) => parameter.in === place && parameter.name === name)?.schema;
    const takesQuery = operation.parameters.some((parameter) => parameter.in === 'query');
    const inPath = Object.entries(params).filter(([name, text]) => isFaulty(schemaOf('path', name), text));
    const inQuery = query.filter(
      ([name, text], index) =>
        isFaulty(schemaOf('query', name), text) ||
        query.some(([other], otherIndex) => other === name && otherIndex !== index),
    );
    return [
      inPath.map(([name]) => name),
      takesQuery ? inQuery.map(([name]) => asRead(name)) : [],
      operation.bodySchema === undefined ? [] : findFaultyBodyFields(operation.bodySchema, value),
    ];
  };

  const findFaultyBodyFields = (reference: JsonSchema, value: unknown): string[] => {
    const validate = validatorOf(resolveSchema(description, reference));
    if (validate(value)) return [];
    return (validate.errors ?? []).map((error) => {
      const [field] = error.instancePath.split('/').slice(1);
      return field ?? error.params.missingProperty ?? error.params.additionalProperty ?? '';
    });
  };

  const judgeBody = ({ operation, method }: FuzzedRequest, response: RawResponse): string[] => {
    const type = (response.headers['content-type'] ?? '').split(';')[0] ?? '';
    if (response.body === '' || !JSON_TYPES.includes(type) || method === 'HEAD') return [];
    const body: unknown = JSON.parse(response.body);
    // Another method may be that of another operation.
    const pathKey = method.toLowerCase();
    const declared =
      description.paths[operation.path]?.[pathKey]?.responses[response.status]?.content?.[type];
    const validate =
      declared === undefined
        ? problemValidator
        : validatorAt(
            'paths',
            operation.path,
            pathKey,
            'responses',
            `${response.status}`,
            'content',
            type,
            'schema',
          );
    const mismatch = validate(body)
      ? []
      : [`the response does not match the document: ${ajv.errorsText(validate.errors)}`];
    if (type === 'application/json') return mismatch;
    const problem = body as { status: number; requestId: string };
    return [
      ...mismatch,
      ...(problem.status === response.status ? [] : ['the problem names another status']),
      ...(problem.requestId === response.headers['x-request-id']
        ? []
        : ['the problem names another request']),
    ];
  };

  /** Whether the document knows the status for the method that was sent instead; HEAD gets what GET does. */
  const isOfOtherMethod = ({ operation, method }: FuzzedRequest, status: number): boolean => {
    const other = description.paths[operation.path]?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
    return other?.responses[status] !== undefined || OTHER_METHOD_STATUSES.includes(status);
  };

  const judgeStatus = (request: FuzzedRequest, response: RawResponse): string[] => {
    const { operation, mutation } = request;
    const isDeclared = operation.responses[response.status] !== undefined;
    const isAllowed =
      mutation === 'protocol'
        ? isDeclared ||
          PROTOCOL_STATUSES.includes(response.status) ||
          (request.method !== operation.method && isOfOtherMethod(request, response.status))
        : isDeclared || (response.status === 431 && request.target.length > MAX_HEAD_BYTES / 2);
    return isAllowed ? [] : [`the document has no status ${response.status} for this`];
  };

  /** Whether a request that the document does not allow was refused, with a field of it named. */
  const judgeRefusal = (request: FuzzedRequest, response: RawResponse): string[] => {
    if (request.mutation === 'protocol' || request.operation.path === AUTHORIZATION_PATH) return [];
    if (request.mutation === 'body') {
      const isTooLarge = request.body.length > MAX_BODY_BYTES && request.operation.bodySchema !== undefined;
      if (isTooLarge && response.status !== 413) return [`a body that is too large got ${response.status}`];
      const isRefused = response.status >= 400 || request.operation.bodySchema === undefined;
      return isRefused ? [] : [`a body that can't be read got ${response.status}`];
    }
    const isUnreadable = request.target.length > MAX_HEAD_BYTES / 2 || request.body.length > MAX_BODY_BYTES;
    const faulty = findFaultyFields(request).find((fields) => fields.length > 0);
    // Too many look-ups of domains are in flight where no network is.
    if (faulty === undefined || isUnreadable || response.status === 429) return [];
    if (response.status !== 400) return [`${faulty.join(', ')}: not allowed, and yet got ${response.status}`];
    const { code, errors = [] } = JSON.parse(response.body) as { code: string; errors?: { path: string }[] };
    // It is refused before anybody looks for its fields.
    if (code === 'json_too_complex' && request.body.length > COMPLEX_BODY_BYTES) return [];
    const named = errors.map(({ path }) => path);
    // A path that can't be decoded has no fields: it is named as a whole.
    const expected = isDecodable(request.target) ? faulty : ['path'];
    const isNamed = expected.some((field) =>
      named.some((path) => path === field || path.startsWith(`${field}.`)),
    );
    return isNamed ? [] : [`${faulty.join(', ')}: not named among ${JSON.stringify(named.slice(0, 5))}`];
  };

  return (request: FuzzedRequest, response: RawResponse | null): string[] => {
    if (response === null)
      return request.mutation === 'protocol' ? [] : ['the connection was closed without a response'];
    const text = JSON.stringify(response.headers) + response.body;
    return [
      ...(response.status >= 500 ? [`a fault of ours: ${response.status}`] : []),
      ...judgeStatus(request, response),
      ...judgeBody(request, response),
      ...judgeRefusal(request, response),
      ...(INSIDES.test(response.body) ? ['the response shows internals'] : []),
      ...secrets.filter((secret) => text.includes(secret)).map((secret) => `foreign data: ${secret}`),
    ];
  };
};
