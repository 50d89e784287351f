/** What breaks a line, and would let one email look like two. */
const BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]+/g;
/** What is obeyed or hidden where text is shown, but for the joiner that emoji are made with: it comes from third parties. */
const CONTROLS = /(?!\u200d)[\p{Cc}\p{Cf}]/gu;

/** A text of anybody as one line without characters that control a terminal, the direction of writing, or hide. */
export const clean = (text: string): string => text.replace(BREAKS, ' ').replace(CONTROLS, '');
