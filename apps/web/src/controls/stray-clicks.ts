/** A second click this soon was aimed at what was under the pointer before. Unit: milliseconds. */
const SOON_MS = 500;
/** How far a hand moves within a double click, and a finger within a double tap. Unit: pixels. */
const SAME_PLACE_PX = 24;

const CONTROLS = 'a[href], button, input, select, label, summary, [role=row], [role=option]';

/** What a click at this element is for; a label is for what it names. */
const toControl = (target: EventTarget | null): Element | null => {
  const control = target instanceof Element ? target.closest(CONTROLS) : null;
  return control instanceof HTMLLabelElement ? (control.control ?? control) : control;
};

/**
 * Ignores a click that follows another one at the same place, but hits another control: the first one has changed what is
 * there, as a double click on an email would do, or on what goes away with it. A double click submits a form once.
 *
 * @returns takes the guard away
 */
export const ignoreStrayClicks = (page: Window): (() => void) => {
  let last: { at: number; x: number; y: number; control: Element | null } | undefined;
  const onClick = (event: MouseEvent) => {
    // A key or a script has made it.
    if (event.detail === 0) return;
    const control = toControl(event.target);
    const isSecond =
      last !== undefined &&
      event.timeStamp - last.at < SOON_MS &&
      Math.hypot(event.clientX - last.x, event.clientY - last.y) < SAME_PLACE_PX;
    if (last && isSecond && (control !== last.control || control?.matches('[type=submit]'))) {
      event.preventDefault();
      event.stopImmediatePropagation();
      // A third click as soon after it is of the same kind.
      last.at = event.timeStamp;
    } else last = { at: event.timeStamp, x: event.clientX, y: event.clientY, control };
  };
  page.addEventListener('click', onClick, { capture: true });
  return () => page.removeEventListener('click', onClick, { capture: true });
};
