/**
 * Thrown for Markdown that the editor cannot show: its block stays as it is written, with `toEnd` together
 * with all that follows.
 */
export class Unsupported extends Error {
  readonly toEnd: boolean;
  constructor({ toEnd = false } = {}) {
    super("not supported by the formatted editor");
    this.toEnd = toEnd;
  }
}
