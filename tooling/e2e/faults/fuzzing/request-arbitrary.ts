import fc from 'fast-check';
import type { ApiDescription, JsonSchema, Operation } from './api-description.ts';
import { changeBytes } from './change-body.ts';
import { changeCookies, changeHeaders, changeMethod, changePath } from './change-protocol.ts';
import { changeParams, changeQuery, changeValue } from './change-values.ts';
import {
  type Change,
  describeRequest,
  type FuzzedRequest,
  type Mutation,
  rewrite,
} from './fuzzed-request.ts';
import { createSchemaValues } from './schema-values.ts';

/** Requests to one operation, as the document describes them. */
export const createValidRequestArbitrary = (
  description: ApiDescription,
  operation: Operation,
  knownTexts: readonly string[],
): fc.Arbitrary<FuzzedRequest> => {
  const valuesOf = createSchemaValues(description, knownTexts);
  // Every user has the mailbox with the least number.
  const valuesIn = (place: 'path' | 'query', schema: JsonSchema) =>
    place === 'path' && schema.type === 'integer' ? fc.constant(schema.minimum ?? 1) : valuesOf(schema);
  const textsIn = (place: 'path' | 'query') =>
    fc.record(
      Object.fromEntries(
        operation.parameters
          .filter((parameter) => parameter.in === place)
          .map((parameter) => [parameter.name, valuesIn(place, parameter.schema).map(String)]),
      ),
      place === 'path' ? {} : { requiredKeys: [] },
    ) as fc.Arbitrary<Record<string, string>>;
  return fc
    .record({
      params: textsIn('path'),
      query: textsIn('query').map((query) => Object.entries(query)),
      value: operation.bodySchema === undefined ? fc.constant(undefined) : valuesOf(operation.bodySchema),
    })
    .map(
      (parts): FuzzedRequest =>
        rewrite({
          operation,
          mutation: 'none',
          what: 'as described',
          method: operation.method,
          target: '',
          headers: [],
          body: Buffer.alloc(0),
          ...parts,
        }),
    );
};

/**
 * Requests to one operation: three in ten as the document describes them, the others with one thing about them
 * changed for the worse.
 */
export const createRequestArbitrary = (
  description: ApiDescription,
  operation: Operation,
  knownTexts: readonly string[],
): fc.Arbitrary<FuzzedRequest> => {
  const valid = createValidRequestArbitrary(description, operation, knownTexts);
  const valueChanges = [
    changeQuery,
    ...(operation.parameters.some((parameter) => parameter.in === 'path') ? [changeParams] : []),
    ...(operation.bodySchema === undefined ? [] : [changeValue, changeValue, changeValue]),
  ];
  const changed = (changes: Change[], mutation: Mutation) =>
    valid.chain((request) => fc.oneof(...changes.map((change) => change({ ...request, mutation }))));
  return fc
    .oneof(
      { weight: 3, arbitrary: valid },
      { weight: 4, arbitrary: changed(valueChanges, 'values') },
      { weight: 2, arbitrary: changed([changeBytes], 'body') },
      { weight: 3, arbitrary: changed([changeMethod, changePath, changeHeaders, changeCookies], 'protocol') },
    )
    .map((request) => ({ ...request, [fc.toStringMethod]: () => describeRequest(request) }));
};
