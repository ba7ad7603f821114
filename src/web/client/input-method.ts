/** Fields of a keyboard event, of the browser or of React. */
type KeyPress = { isComposing: boolean; keyCode: number };

/**
 * Key code 229: the input method has handled the key. For the Enter that ends a word, Safari sets only this
 * code.
 */
const HANDLED_KEY_CODE = 229;

/**
 * Whether a key belongs to an input method (Japanese, Chinese, Korean …), whose Enter only picks a candidate.
 */
export const isInputMethodKey = ({ isComposing, keyCode }: KeyPress): boolean =>
  isComposing || keyCode === HANDLED_KEY_CODE;
