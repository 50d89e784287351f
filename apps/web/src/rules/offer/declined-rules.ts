const STORAGE_KEY = 'mailsweep.declined-rules';
/** The newest ones that are kept. */
const MAX_KEPT = 500;

const read = (): string[] => {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
};

/** Whether the user has said on this device that they want no rule for this sender or kind of email. */
export const isRuleDeclined = (key: string): boolean => read().includes(key);

export const declineRule = (key: string): void => {
  const others = read().filter((other) => other !== key);
  localStorage.setItem(STORAGE_KEY, JSON.stringify([...others, key].slice(-MAX_KEPT)));
};
