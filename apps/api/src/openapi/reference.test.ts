import { API_ROUTES, NoContentSchema, type RouteContract } from '@mailsweep/contracts';
import { describe, expect, test } from 'vitest';
import type { RouteReference } from './reference/section.ts';
import { REFERENCE_SECTIONS } from './reference/sections.ts';

const ROUTES: Record<string, RouteContract> = API_ROUTES;

const references = REFERENCE_SECTIONS.flatMap(({ routes }) =>
  Object.entries<RouteReference>(routes).map(([name, reference]) => ({
    name,
    reference,
    route: ROUTES[name] as RouteContract,
  })),
);

/** Values as a URL carries them. */
const toText = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

test('the reference covers every route once', () => {
  expect(references.map(({ name }) => name).toSorted()).toEqual(Object.keys(ROUTES).toSorted());
});

describe.each(references)('the reference of $name', ({ route, reference }) => {
  test('says in words what the route does', () => {
    expect(reference.summary).toMatch(/^[A-Z][\w\s,-]{3,40}$/);
    expect(reference.description.join(' ').length).toBeGreaterThan(60);
  });

  test('has examples of parameters and bodies that the route accepts', () => {
    const { params, query, bodies = {} } = reference.request ?? {};
    expect(params !== undefined).toBe(route.params !== undefined);
    expect(query !== undefined).toBe(route.query !== undefined);
    expect(Object.keys(bodies).length > 0).toBe(route.body !== undefined);

    if (params !== undefined) expect(route.params?.safeParse(params).error).toBeUndefined();
    if (query !== undefined) expect(route.query?.safeParse(toText(query)).data).toMatchObject(query);
    for (const body of Object.values(bodies)) expect(route.body?.parse(body)).toEqual(body);
  });

  test('has examples of responses that the route may return, with no field that it does not know', () => {
    const examples = Object.values(reference.responses ?? {});

    expect(examples.length > 0).toBe(route.response !== NoContentSchema);
    for (const example of examples) expect(route.response.parse(example)).toEqual(example);
  });
});
