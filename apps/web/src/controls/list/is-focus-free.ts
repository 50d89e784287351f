/** Whether a list may take the focus for its active row: it is in the list, on the screen as a whole, or nowhere. */
export const isFocusFree = (list: Element | null): boolean => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return true;
  return list?.contains(focused) === true || focused.matches('#main, #main h1');
};
