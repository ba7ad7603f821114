/** A variable with an unusable value. The entry point prints the message and exits with 78 (EX_CONFIG). */
export class EnvironmentError extends Error {
  override name = "EnvironmentFault";
  readonly variable: string;
  readonly sentence: string;
  constructor(variable: string, sentence: string) {
    super(`${variable}: ${sentence}`);
    this.variable = variable;
    this.sentence = sentence;
  }
}
