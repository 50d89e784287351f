import type { API_ROUTES, RouteContract } from '@mailsweep/contracts';
import type { z } from 'zod';

type Routes = typeof API_ROUTES;
export type RouteName = keyof Routes;

type Values<T> = T extends z.ZodType ? z.input<T> : undefined;
/** Parameters as the document types them: numbers and booleans, not the text of a URL. */
type Parameters<T> = T extends z.ZodType ? Partial<z.output<T>> : undefined;

/** What the API reference says about a route beyond its contract. The examples are checked against the contract. */
export interface RouteReference<C extends RouteContract = RouteContract> {
  /** A few words in the imperative. */
  summary: string;
  /** Paragraphs in Markdown: behaviour, limits, errors, partial failure. */
  description: string[];
  request?: {
    params?: Values<C['params']>;
    query?: Parameters<C['query']>;
    /** Bodies by what they show. */
    bodies?: Record<string, Values<C['body']>>;
  };
  /** Bodies of successful responses by what they show. */
  responses?: Record<string, Values<C['response']>>;
}

/** A tag of the document with its routes, in reading order. */
export interface ReferenceSection {
  tag: string;
  description: string;
  routes: Partial<Record<RouteName, RouteReference>>;
}

/** Checks the examples of each route against the types of its contract. */
export const defineSection = <N extends RouteName>(section: {
  tag: string;
  description: string;
  routes: { [K in N]: RouteReference<Routes[K]> };
}): ReferenceSection => section as ReferenceSection;
