/** JSON Schema as the API's document uses it (2020-12, the dialect of OpenAPI 3.1). */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  schema: JsonSchema;
}

type Content = Record<string, { schema: JsonSchema }>;

interface OperationObject {
  security?: object[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content; headers?: Record<string, unknown> }>;
}

/** The OpenAPI document, as far as it is read here. */
export interface ApiDescription {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, JsonSchema> };
}

/** One method of one path. */
export interface Operation {
  /** Such as `GET /api/v1/emails`. */
  name: string;
  method: string;
  /** Its place in the document; parameters in braces. */
  path: string;
  parameters: Parameter[];
  /** Schema of a JSON body; undefined where none is taken. */
  bodySchema: JsonSchema | undefined;
  /** Whether it needs a session or a token. */
  isAuthenticated: boolean;
  /** Whether its body is a form. */
  takesForm: boolean;
  takesToken: boolean;
  responses: OperationObject['responses'];
}

/** Every operation of the document, in its order. */
export const listOperations = (description: ApiDescription): Operation[] =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      bodySchema: operation.requestBody?.content['application/json']?.schema,
      takesForm: 'application/x-www-form-urlencoded' in (operation.requestBody?.content ?? {}),
      isAuthenticated: operation.security?.length !== 0,
      takesToken: operation.security?.some((way) => 'personalToken' in way) ?? false,
      responses: operation.responses,
    })),
  );

/** Follows a reference into the document. */
export const resolveSchema = (description: ApiDescription, schema: JsonSchema): JsonSchema => {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  const found = description.components.schemas[name];
  if (found === undefined) throw new Error(`the document has no ${schema.$ref}`);
  return resolveSchema(description, found);
};
