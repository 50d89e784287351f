import { useDeferredMount } from './use-deferred-mount.ts';

/**
 * Opens a dialog in a second step when it is made open, as one that is loaded when it is needed: only at the change
 * from closed to open does it note where to give the focus back to.
 */
export const useOpenOnceMounted = (isOpen: boolean): boolean => useDeferredMount() && isOpen;
