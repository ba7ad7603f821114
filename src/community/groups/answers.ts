import { invalid } from "#platform/refusal";

/** Each question with its answer. Throws `invalid` on `answers` where one is missing. */
export function answersTo(questions: string[], given: string[]): { question: string; answer: string }[] {
  const answers = questions.map((question, i) => ({ question, answer: given[i] ?? "" }));
  if (answers.some(({ answer }) => answer === "")) throw invalid("answers", "Please answer each question.");
  return answers;
}
