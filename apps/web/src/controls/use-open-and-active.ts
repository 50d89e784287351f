import { useEffect, useRef } from 'react';

/** Keeps the open row of the address and the active row of the keyboard in step. */
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
