/** A second press this soon was meant for what was there before, or is half a double click. Unit: milliseconds. */
const SOON_MS = 500;
/** Movement within a double click or tap. Unit: pixels. */
const SAME_PLACE_PX = 24;

const CONTROLS = 'a[href], button, input, select, label, summary, [role=row], [role=option]';
/** Controls that a double click presses once. Opening, ticking and selecting may be reverted at once. */
const ACTING = 'button:not([aria-expanded], [aria-pressed]), [role=switch], [role=option]';
const TEXT_FIELDS = 'input:not([type=checkbox], [type=radio]), select';

const isAt = ({ target }: Event, controls: string): boolean =>
  target instanceof Element && target.matches(controls);

/** The control of a click; for a label, the labelled one. */
const toControl = (element: Element | null): Element | null =>
  element instanceof HTMLLabelElement ? (element.control ?? element) : element;

/**
 * Ignores a click that soon follows another at the same place, unless both hit the same control and it does not act:
 * the first one may have changed what is there, as when double-clicking an email. Acting controls are pressed once,
 * also by repeated or held keys. Covers new controls, before the app hears of the press. Any other input of the user
 * resets this.
 *
 * @returns `forget` resets after a failure; `takeAway` removes the guard
 */
export const ignoreStrayClicks = (page: Window): Record<'forget' | 'takeAway', () => void> => {
  let last: { at: number; x: number; y: number; element: Element | null; isOver?: boolean } | undefined;
  let pressed: { at: number; target: EventTarget | null } | undefined;
  const endClick = () => {
    if (last) last.isOver = true;
  };
  const forget = () => {
    endClick();
    pressed = undefined;
  };
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const onClick = (event: MouseEvent) => {
    // From a key or a script.
    if (event.detail === 0) return;
    const element = event.target instanceof Element ? event.target.closest(CONTROLS) : null;
    const control = toControl(element);
    const isSecond =
      last !== undefined &&
      event.timeStamp - last.at < SOON_MS &&
      Math.hypot(event.clientX - last.x, event.clientY - last.y) < SAME_PLACE_PX;
    const isSame = last !== undefined && control === toControl(last.element);
    // The browser passes the click on from a label.
    const isPassedOn = isSame && element !== last?.element && element === control;
    const isMeant = isSame && (isPassedOn || last?.isOver || !control?.matches(ACTING));
    if (last && isSecond && !isMeant) {
      ignore(event);
      // Also covers a third click.
      last.at = event.timeStamp;
    } else last = { at: event.timeStamp, x: event.clientX, y: event.clientY, element };
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target, timeStamp: at } = event;
    const isPress = !event.isComposing && (key === 'Enter' || (key === ' ' && isAt(event, ACTING)));
    if (!isPress) return forget();
    // The focus moved because the first control is gone.
    const isSecond =
      pressed !== undefined &&
      at - pressed.at < SOON_MS &&
      (target === pressed.target || !(pressed.target as Node).isConnected);
    if (event.repeat || isSecond) ignore(event);
    pressed = { at, target: (isSecond ? pressed?.target : target) ?? null };
  };
  const onInput = (event: Event) => {
    if (isAt(event, TEXT_FIELDS)) forget();
  };
  const guard = new AbortController();
  const options = { capture: true, signal: guard.signal };
  page.addEventListener('click', onClick, options);
  page.addEventListener('keydown', onKeyDown, options);
  page.addEventListener('input', onInput, options);
  // Back closes dialogs, and so does a click, which then goes back.
  page.addEventListener('popstate', endClick, options);
  return { forget, takeAway: () => guard.abort() };
};
