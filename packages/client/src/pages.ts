interface NumberedPage {
  total: number;
  page: number;
  perPage: number;
  data: readonly unknown[];
}
interface PageWithToken {
  emails: readonly unknown[];
  nextPageToken: string | null;
}
type AnyPage = NumberedPage | PageWithToken;

/** What a page lists: its `data`, or its `emails`. */
export type ItemOf<Page> = Page extends { data: readonly (infer Item)[] }
  ? Item
  : Page extends { emails: readonly (infer Item)[] }
    ? Item
    : never;

type List<Request, Page> = (request: Request) => Promise<Page>;

/** @returns what the next page's query adds, null after the last page */
const toNextQuery = (page: AnyPage): object | null => {
  if ('nextPageToken' in page) return page.nextPageToken === null ? null : { pageToken: page.nextPageToken };
  const isLast = page.data.length === 0 || page.page * page.perPage >= page.total;
  return isLast ? null : { page: page.page + 1 };
};

/**
 * The pages of a list, each requested when needed:
 *
 * ```ts
 * for await (const page of listPages(client.listSenders, { query: { perPage: 100 } })) show(page.data);
 * ```
 *
 * @param list - any method of the client that returns pages
 * @param request - of the first page
 * @throws as the method does
 */
export async function* listPages<Request, Page extends AnyPage>(
  list: List<Request, Page>,
  ...[request]: undefined extends Request ? [request?: Request] : [request: Request]
): AsyncGenerator<Page, void, undefined> {
  let query: object | null = (request as { query?: object } | undefined)?.query ?? {};
  while (query !== null) {
    const page: Page = await list({ ...request, query } as Request);
    yield page;
    const next = toNextQuery(page);
    query = next && { ...query, ...next };
  }
}

/** The items of all pages of a list. @throws as the method does */
export async function* listItems<Request, Page extends AnyPage>(
  list: List<Request, Page>,
  ...request: undefined extends Request ? [request?: Request] : [request: Request]
): AsyncGenerator<ItemOf<Page>, void, undefined> {
  for await (const page of listPages<Request, Page>(list, ...request)) {
    yield* ('data' in page ? page.data : page.emails) as ItemOf<Page>[];
  }
}
