import { msg } from "#platform/messages";
import { clauseFault, clauseFaultAt, truncateQuote } from "./clause-errors.ts";
import { type Token, tokenize } from "./clause-tokens.ts";

/** The tokens of a clause, read one after another. A class, because it holds the position. */
export class TokenCursor {
  readonly #tokens: Token[];
  #next = 0;

  constructor(text: string) {
    this.#tokens = tokenize(text);
  }

  /** The token that was taken last. */
  get previous(): Token {
    return this.#tokens[this.#next - 1]!;
  }

  get here(): Token {
    return this.#tokens[this.#next]!;
  }

  take(): Token {
    return this.#tokens[this.#next++]!;
  }

  isSign = (sign: string) => this.here.kind === "sign" && this.here.is === sign;

  takeSign(sign: string): boolean {
    const is = this.isSign(sign);
    if (is) this.#next++;
    return is;
  }

  takeWord(word: string): boolean {
    const is =
      this.here.kind === "name" && this.here.is.length === word.length && this.here.is.toLowerCase() === word;
    if (is) this.#next++;
    return is;
  }

  expectSign(sign: string): void {
    if (!this.takeSign(sign)) throw this.expected(sign);
  }

  expectName(what: string): string {
    if (this.here.kind !== "name") throw this.expected(what);
    return this.take().is;
  }

  fail(what: string): never {
    throw this.expected(what);
  }

  expected = (what: string) => this.expectedAt(what, this.here);

  expectedAt(what: string, { kind, is, at }: Token) {
    if (kind === "end") return clauseFaultAt(at, msg("expected {what}, found the end.", { what }));
    return clauseFault(
      msg("Character {place} of the clause: expected {what}, found {found}.", {
        place: at + 1,
        found: truncateQuote(is),
        what,
      }),
    );
  }
}
