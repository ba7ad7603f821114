/** Parts of a key press, in the browser and in React's events. */
type KeyPress = { isComposing: boolean; keyCode: number };

/** What browsers say of a key that an input method has taken; Safari says only this, of the Enter that ends a word. */
const TAKEN = 229;

/** Whether a key belongs to an input method (Japanese, Chinese, Korean …): its Enter picks a candidate there, nothing here. */
export const isForInputMethod = ({ isComposing, keyCode }: KeyPress): boolean => isComposing || keyCode === TAKEN;
