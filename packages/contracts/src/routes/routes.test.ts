import { describe, expect, test } from 'vitest';
import { API_ROUTES, API_SECTIONS, NoContentSchema, type RouteContract } from './index.ts';

/** Values as a URL carries them. */
const toText = (values: object) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));

test('the reference covers every route once', () => {
  const described = API_SECTIONS.flatMap(({ routes }) => Object.keys(routes));
  expect(described.toSorted()).toEqual(Object.keys(API_ROUTES).toSorted());
});

describe.each(Object.entries<RouteContract>(API_ROUTES))('the contract of %s', (_name, route) => {
  test('says in words what the route does', () => {
    expect(route.summary).toMatch(/^[A-Z][\w\s,-]{3,40}$/);
    expect(route.description.join(' ').length).toBeGreaterThan(60);
  });

  test('has examples of parameters and bodies that the route accepts', () => {
    const { params, query, bodies = {} } = route.examples ?? {};
    expect(params !== undefined).toBe(route.params !== undefined);
    expect(query !== undefined).toBe(route.query !== undefined);
    expect(Object.keys(bodies).length > 0).toBe(route.body !== undefined);

    if (params !== undefined) expect(route.params?.safeParse(toText(params)).error).toBeUndefined();
    if (query !== undefined) expect(route.query?.safeParse(toText(query)).data).toMatchObject(query);
    for (const body of Object.values(bodies)) expect(route.body?.parse(body)).toEqual(body);
  });

  test('has examples of responses that the route may return, with no field that it does not know', () => {
    const examples = Object.values(route.examples?.responses ?? {});

    expect(examples.length > 0).toBe(route.response !== NoContentSchema);
    for (const example of examples) expect(route.response.parse(example)).toEqual(example);
  });
});
