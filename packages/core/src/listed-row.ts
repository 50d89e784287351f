import type { Page, Pagination } from '@mailsweep/contracts';

/** A row of a list's one statement. A page without records is a single row that has nothing but the total. */
export type ListedRow<Row> = (Row & { total: number }) | ({ [Field in keyof Row]: null } & { total: number });

/** The page that the rows of a list make up. */
export const toPage = <Row extends { id: string }, Item>(
  rows: ListedRow<Row>[],
  pagination: Pagination,
  toItem: (row: Row) => Item,
): Page<Item> => ({
  total: rows[0]?.total ?? 0,
  page: pagination.page,
  perPage: pagination.perPage,
  data: rows.filter((row): row is Row & { total: number } => row.id !== null).map(toItem),
});

/** A stored row as JSON has it: instants as ISO 8601 text, large numbers as numbers. A schema takes from it what is shown. */
export const toWire = (row: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? value.toISOString() : typeof value === 'bigint' ? Number(value) : value,
    ]),
  );
