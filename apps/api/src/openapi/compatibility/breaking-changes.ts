import { TokenScopeSchema } from '@mailsweep/contracts';
import {
  type CompareSchemas,
  createSchemaComparison,
  type Direction,
  type Schema,
  type Schemas,
} from '@mailsweep/contracts/compatibility';

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema?: Schema;
}
type Content = Record<string, { schema?: Schema }>;
interface Response {
  $ref?: string;
  content?: Content;
  headers?: Record<string, { required?: boolean; schema?: Schema }>;
}
type Requirement = Record<string, string[]>;
interface Operation {
  operationId?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
  security?: Requirement[];
  deprecated?: boolean;
  'x-recent-sign-in'?: boolean;
}

/** An OpenAPI document as `createOpenApiDocument` builds it: parameters and bodies in place, the rest by reference. */
export interface ApiDocument {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  security?: Requirement[];
  components: {
    schemas: Schemas;
    responses?: Record<string, Response>;
    securitySchemes?: Record<string, Record<string, unknown>>;
  };
}

/** A change that breaks clients, with where it does: `request of createRule`. */
export interface BreakingChange {
  change: string;
  places: string[];
}

type Found = { change: string; place: string }[];

/** What in `after` breaks clients that were written for `before`. Additions are no breaking changes. */
export const findBreakingChanges = (before: ApiDocument, after: ApiDocument): BreakingChange[] => {
  const found = [
    ...compareSecuritySchemes(before, after),
    ...compareProblemCodes(before, after),
    ...Object.entries(before.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        const later = after.paths[path]?.[method];
        const name = `${method.toUpperCase()} ${path}`;
        return later
          ? compareOperations(operation, later, { name, before, after })
          : [{ change: 'the operation is gone', place: name }];
      }),
    ),
  ];
  const changes = Map.groupBy(found, ({ change }) => change);
  return [...changes].map(([change, all]) => ({
    change,
    places: [...new Set(all.map(({ place }) => place))],
  }));
};

/** Whether the major version of the API is a later one, so that clients expect breaking changes. */
export const isNewMajorVersion = (before: ApiDocument, after: ApiDocument): boolean =>
  Number.parseInt(after.info.version, 10) > Number.parseInt(before.info.version, 10);

/** The codes that the document lists; those of later versions are left open there. */
const readProblemCodes = ({ components }: ApiDocument): unknown[] =>
  (components.schemas.Problem?.properties?.code?.anyOf ?? []).flatMap((variant) => variant.enum ?? []);

const compareProblemCodes = (before: ApiDocument, after: ApiDocument): Found => {
  const codes = new Set(readProblemCodes(after));
  return readProblemCodes(before)
    .filter((code) => !codes.has(code))
    .map((code) => ({ change: `the problem \`${code}\` is gone`, place: 'all operations' }));
};

const compareSecuritySchemes = (before: ApiDocument, after: ApiDocument): Found => {
  const essence = ({ type, in: place, name, scheme }: Record<string, unknown> = {}): string =>
    [type, place, name, scheme].join(' ');
  return Object.entries(before.components.securitySchemes ?? {})
    .filter(([name, scheme]) => essence(scheme) !== essence(after.components.securitySchemes?.[name]))
    .map(([name]) => ({ change: `the security scheme \`${name}\` is another one`, place: 'all operations' }));
};

interface Context {
  /** Method and path. */
  name: string;
  before: ApiDocument;
  after: ApiDocument;
}

const compareOperations = (earlier: Operation, later: Operation, context: Context): Found => {
  const { name, before, after } = context;
  const compareIn = (direction: Direction): CompareSchemas =>
    createSchemaComparison(direction, {
      before: before.components.schemas,
      after: after.components.schemas,
    });
  const at = (place: string, changes: string[]): Found =>
    changes.map((change) => ({ change, place: place ? `${place} of ${name}` : name }));

  const renamed =
    earlier.operationId === later.operationId
      ? []
      : [`the operation \`${earlier.operationId}\` is called \`${later.operationId}\``];
  return [
    ...at('', renamed),
    ...at('', compareAccess(earlier, later, context)),
    ...at('request', compareParameters(earlier, later, compareIn('request'))),
    ...at('request', compareBodies(earlier, later, compareIn('request'))),
    ...Object.entries(earlier.responses).flatMap(([status, response]) => {
      const other = later.responses[status];
      if (!other) return at('', [`the response ${status} is gone`]);
      const responses = [resolveResponse(response, before), resolveResponse(other, after)] as const;
      return at(`response ${status}`, compareResponses(...responses, compareIn('response')));
    }),
  ];
};

const compareAccess = (earlier: Operation, later: Operation, { before, after }: Context): string[] => {
  const accepted = later.security ?? after.security ?? [];
  const ways = earlier.security ?? before.security ?? [];
  const refused = (ways.length > 0 ? ways : [{}]).filter(
    (way) => accepted.length > 0 && !accepted.some((requirement) => isMet(requirement, way)),
  );
  return [
    ...refused.map((way) => `it does not take ${describeWay(way)} any more`),
    ...(later['x-recent-sign-in'] && !earlier['x-recent-sign-in'] ? ['it needs a recent sign-in'] : []),
  ];
};

/** Whether requests that met one requirement meet another: with no more schemes, and no wider scopes. */
const isMet = (requirement: Requirement, way: Requirement): boolean =>
  Object.entries(requirement).every(
    ([scheme, scopes]) => way[scheme] && rankOf(scopes[0]) <= rankOf(way[scheme][0]),
  );

const SCOPES: readonly (string | undefined)[] = TokenScopeSchema.options;

/** Each scope includes those before it. */
const rankOf = (scope: string | undefined): number => SCOPES.indexOf(scope);

const describeWay = (way: Requirement): string => {
  const schemes = Object.entries(way).map(([scheme, scopes]) => `\`${[scheme, ...scopes].join(' ')}\``);
  return schemes.length > 0 ? schemes.join(' with ') : 'requests without authentication';
};

const compareParameters = (earlier: Operation, later: Operation, compare: CompareSchemas): string[] => {
  const keyOf = ({ in: place, name }: Parameter): string => `${place} parameter \`${name}\``;
  const known = new Map((earlier.parameters ?? []).map((parameter) => [keyOf(parameter), parameter]));
  const present = new Map((later.parameters ?? []).map((parameter) => [keyOf(parameter), parameter]));
  return [
    ...[...known].flatMap(([key, { name, schema = {} }]) => {
      const other = present.get(key);
      return other ? compare(schema, other.schema ?? {}, name) : [`the ${key} is gone`];
    }),
    ...[...present]
      .filter(([key, { required }]) => required && !known.get(key)?.required)
      .map(([key]) => `the ${key} is required`),
  ];
};

const compareBodies = (earlier: Operation, later: Operation, compare: CompareSchemas): string[] => {
  const [body, other] = [earlier.requestBody, later.requestBody];
  const required = other?.required && !body?.required ? ['a body is required'] : [];
  if (!body) return required;
  return other
    ? [...required, ...compareContent(body.content, other.content, compare)]
    : ['it takes no body'];
};

const resolveResponse = (response: Response, { components }: ApiDocument): Response =>
  response.$ref ? (components.responses?.[response.$ref.split('/').at(-1) ?? ''] ?? {}) : response;

const compareResponses = (earlier: Response, later: Response, compare: CompareSchemas): string[] => [
  ...compareContent(earlier.content ?? {}, later.content ?? {}, compare),
  ...Object.entries(earlier.headers ?? {}).flatMap(([name, header]) => {
    const other = later.headers?.[name];
    if (!other) return [`the header \`${name}\` is gone`];
    const optional = header.required && !other.required ? [`the header \`${name}\` can be left out`] : [];
    return [...optional, ...compare(header.schema ?? {}, other.schema ?? {}, name)];
  }),
];

const compareContent = (earlier: Content, later: Content, compare: CompareSchemas): string[] =>
  Object.entries(earlier).flatMap(([mediaType, { schema = {} }]) => {
    const other = later[mediaType];
    return other ? compare(schema, other.schema ?? {}, 'body') : [`the media type ${mediaType} is gone`];
  });

const SHOWN_PLACES = 3;

/** One line, such as ``breaking change: `Rule.label` is gone (response 200 of GET /api/v1/rules)``. */
export const describeBreakingChange = ({ change, places }: BreakingChange): string => {
  const others = places.length - SHOWN_PLACES;
  const shown = places.slice(0, SHOWN_PLACES).join(', ');
  return `breaking change: ${change} (${shown}${others > 0 ? ` and ${others} others` : ''})`;
};
