import { useDeferredValue } from 'react';

/**
 * False at first, then true: the screen around a long list comes first; then the list, in slices of work that hold up
 * no touch.
 */
export const useDeferredMount = (): boolean => useDeferredValue(true, false);
