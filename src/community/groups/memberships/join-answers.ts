import { invalid, Refusal } from "#platform/refusal";

/**
 * Answers and the questions they belong to, as the person saw them. Without `questions`, the answers are in
 * the group's order.
 */
export type AnsweredQuestions = { answers: string[]; questions?: string[] | undefined };

/**
 * Pairs each question of a group with its answer.
 * @throws `conflict` where the questions have changed meanwhile, `invalid` on `answers` where one is missing
 */
export function matchAnswersToQuestions(
  asks: string[],
  { answers: given, questions = asks }: AnsweredQuestions,
): { question: string; answer: string }[] {
  if (questions.toSorted().join("\n") !== asks.toSorted().join("\n"))
    throw new Refusal(
      "conflict",
      "The questions of this group have changed. Check them again; your answers are still here.",
    );
  const answers = asks.map((question) => ({ question, answer: given[questions.indexOf(question)] ?? "" }));
  if (answers.some(({ answer }) => answer === "")) throw invalid("answers", "Answer every question.");
  return answers;
}
