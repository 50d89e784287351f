export const USER_ID = '0197a3c4-1111-7e8f-9a0b-1c2d3e4f5a6b';
export const SESSION_ID = '0197a3c4-2222-7e8f-9a0b-1c2d3e4f5a6b';

/** A list that one page of the usual size holds. */
export const pageOf = <const Entry>(data: readonly Entry[]) => ({
  total: data.length,
  page: 1,
  perPage: 20,
  data,
});
