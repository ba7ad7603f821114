/**
 * Prefixes of a question's two field names: one field repeats the question, the other contains the answer.
 */
const [ASKED, ANSWERED] = ["asked-", "answered-"];

/**
 * A field's name contains a hash of its question, so that each answer is matched to its question even if the
 * group changes other questions meanwhile.
 */
function hashQuestion(question: string): number {
  let number = 0;
  for (const sign of question) number = (Math.imul(number, 31) + sign.codePointAt(0)!) >>> 0;
  return number;
}

/** Name of the answer field for a question field; null for any other name. */
export const answerFieldFor = (name: string) =>
  name.startsWith(ASKED) ? ANSWERED + name.slice(ASKED.length) : null;

export const answerFieldNames = (question: string) => {
  const number = hashQuestion(question);
  return { asked: ASKED + number, answered: ANSWERED + number };
};

/** Answers in a rejected form whose questions are no longer asked. */
export const orphanedAnswers = (
  typed: Record<string, string>,
  questions: string[],
): { question: string; answer: string }[] =>
  Object.entries(typed).flatMap(([name, question]) => {
    const answer = typed[answerFieldFor(name) ?? ""]?.trim();
    return answer && !questions.includes(question) ? [{ question, answer }] : [];
  });
