import { useEffect, useRef } from 'react';

/**
 * Keeps the row that is open, as the address says, and the row that the keyboard is on the same, whichever of them
 * moves.
 */
export const useOpenAndActive = (input: {
  openId: string | undefined;
  setOpenId: (id: string) => void;
  activeId: string | null;
  activate: (id: string) => void;
}): void => {
  const { openId, activeId } = input;
  useEffect(() => {
    if (openId !== undefined && openId !== activeId) input.activate(openId);
  }, [openId]);
  const lastActiveId = useRef(activeId);
  useEffect(() => {
    if (lastActiveId.current === activeId) return;
    lastActiveId.current = activeId;
    if (openId !== undefined && activeId !== null && openId !== activeId) input.setOpenId(activeId);
  }, [activeId]);
};
