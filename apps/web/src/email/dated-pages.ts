/** A page of a list, newest email first. */
export interface DatedPage<M> {
  emails: M[];
}

interface DatedEmail {
  id: string;
  date: string;
}

/** Every email once, in order: one that moved between pages would show twice. */
export const toDistinctEmails = <M extends DatedEmail>(pages: readonly DatedPage<M>[]): M[] => {
  const seen = new Map<string, M>();
  for (const page of pages) {
    for (const email of page.emails) if (!seen.has(email.id)) seen.set(email.id, email);
  }
  return [...seen.values()];
};

export const withoutEmails = <M extends DatedEmail, P extends DatedPage<M>>(
  pages: readonly P[],
  ids: ReadonlySet<string>,
): P[] => pages.map((page) => ({ ...page, emails: page.emails.filter((email) => !ids.has(email.id)) }));

const insertByDate = <M extends DatedEmail, P extends DatedPage<M>>(pages: P[], email: M): P[] => {
  const time = Date.parse(email.date);
  const isOlder = (other: M) => Date.parse(other.date) < time;
  const found = pages.findIndex((page) => page.emails.some(isOlder));
  const pageIndex = found < 0 ? pages.length - 1 : found;
  return pages.map((page, index) => {
    if (index !== pageIndex) return page;
    const position = page.emails.findIndex(isOlder);
    return { ...page, emails: page.emails.toSpliced(position < 0 ? page.emails.length : position, 0, email) };
  });
};

/** Restores emails: in place if still listed, else by date. */
export const withEmails = <M extends DatedEmail, P extends DatedPage<M>>(
  pages: readonly P[],
  originals: readonly M[],
): P[] => {
  const present = new Set(pages.flatMap((page) => page.emails.map((email) => email.id)));
  const byId = new Map(originals.map((email) => [email.id, email]));
  const replaced = pages.map((page) => ({
    ...page,
    emails: page.emails.map((email) => byId.get(email.id) ?? email),
  }));
  return originals.filter((email) => !present.has(email.id)).reduce<P[]>(insertByDate, replaced);
};
