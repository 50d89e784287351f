let fallback: Element | null = null;

/** Leads the focus to an element because what had it went away; whoever knows a better place may take it from there. */
export const focusFallback = (element: HTMLElement): void => {
  element.focus({ preventScroll: true });
  fallback = element;
};

/** Whether the focus was led to this element for want of a better place. */
export const isFallback = (element: Element): boolean => element === fallback;
