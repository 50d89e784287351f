/** Whether the keyboard has a Cmd key where others have Ctrl. */
export const isApplePlatform = (): boolean => /Mac|iPhone|iPad/.test(navigator.userAgent);
