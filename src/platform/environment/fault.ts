/** A variable that cannot be used as it is set. The entry prints the sentence and exits with 78 (EX_CONFIG). */
export class EnvironmentFault extends Error {
  override name = "EnvironmentFault";
  readonly variable: string;
  readonly sentence: string;
  constructor(variable: string, sentence: string) {
    super(`${variable}: ${sentence}`);
    this.variable = variable;
    this.sentence = sentence;
  }
}
