/** Fields of a keyboard event, of the browser or of React. */
type KeyPress = { isComposing: boolean; keyCode: number };

/**
 * The key code of a key that an input method has handled; Safari only sets this for the Enter that ends a
 * word.
 */
const HANDLED_KEY_CODE = 229;

/**
 * Whether a key belongs to an input method (Japanese, Chinese, Korean …), whose Enter only picks a candidate.
 */
export const isForInputMethod = ({ isComposing, keyCode }: KeyPress): boolean =>
  isComposing || keyCode === HANDLED_KEY_CODE;
