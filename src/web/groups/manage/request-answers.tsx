import type { JoinRequest } from "#community/groups";

/** A person's answers to the group's questions, in a row below the person's own. */
export function RequestAnswers({ answers }: Pick<JoinRequest, "answers">) {
  if (answers.length === 0) return null;
  return (
    <li className="border-b border-line pb-4 ps-15 last:border-b-0" data-answers>
      <dl className="grid gap-2">
        {answers.map(({ question, answer }) => (
          <div key={question}>
            <dt dir="auto" className="text-small text-quiet">
              {question}
            </dt>
            <dd dir="auto" className="whitespace-pre-line break-words">
              {answer}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

/** Classes that join a row with the row of answers below it. */
export const ROWS_WITH_ANSWERS = "[&>li:has(+[data-answers])]:border-b-0 [&>li:has(+[data-answers])]:pb-1";
