/** What stands before the number of a question in the names of its two fields: what it asks, and what somebody answers. */
const [ASKED, ANSWERED] = ["asked-", "answered-"];

/**
 * A question has its own number, wherever it stands among the others: what was typed comes back to it, and to no other, when the group
 * asks something else meanwhile.
 */
function numberOf(question: string): number {
  let number = 0;
  for (const sign of question) number = (Math.imul(number, 31) + sign.codePointAt(0)!) >>> 0;
  return number;
}

/** The answer's field, by the name of the one that says what was asked; null for any other name. */
export const answeredBy = (name: string) => (name.startsWith(ASKED) ? ANSWERED + name.slice(ASKED.length) : null);

export const fieldsFor = (question: string) => {
  const number = numberOf(question);
  return { asked: ASKED + number, answered: ANSWERED + number };
};

/** Of what was typed into a form that came back: the answers to what is not asked any more. */
export const leftOver = (typed: Record<string, string>, questions: string[]): { question: string; answer: string }[] =>
  Object.entries(typed).flatMap(([name, question]) => {
    const answer = typed[answeredBy(name) ?? ""]?.trim();
    return answer && !questions.includes(question) ? [{ question, answer }] : [];
  });
