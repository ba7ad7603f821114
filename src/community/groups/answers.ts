import { invalid, Refusal } from "#platform/refusal";

/** What somebody answers, and to which questions: those that stood before them. Without these, in the order of the group's. */
export type Answered = { answers: string[]; questions?: string[] | undefined };

/**
 * Each question of a group with its answer. Throws `conflict` where somebody has answered others than it asks by now, `invalid` on `answers` where
 * one is missing.
 */
export function answersTo(asks: string[], { answers: given, questions = asks }: Answered): { question: string; answer: string }[] {
  if (questions.toSorted().join("\n") !== asks.toSorted().join("\n"))
    throw new Refusal(
      "conflict",
      "The questions of this group have changed meanwhile. Please look at them again: what you answered is still here.",
    );
  const answers = asks.map((question) => ({ question, answer: given[questions.indexOf(question)] ?? "" }));
  if (answers.some(({ answer }) => answer === "")) throw invalid("answers", "Please answer each question.");
  return answers;
}
