import { useEffect, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { RejectedForm } from "../../request-context.ts";
import { Field, TextArea } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { answerFieldNames, orphanedAnswers } from "./answer-field-names.ts";

type AnswerFieldsProps = { questions: string[]; required?: boolean };

/**
 * A field for each question of a group. While answers are typed, updates of the page do not change the
 * questions; only the response to the form does. Answers to questions that were removed can then still be
 * read and copied.
 */
export function AnswerFields({ questions: latest, required = false }: AnswerFieldsProps) {
  const result = useFormResult<Partial<RejectedForm> | null>();
  const [first] = useState(latest);
  const questions = result ? latest : first;
  const typed = result?.typed ?? {};
  const { revalidate } = useRevalidator();
  const revalidated = useRef<unknown>(null);
  useEffect(() => {
    // A conflict means that the questions have changed, so the page loads them again.
    if (result?.refused?.reason !== "conflict" || revalidated.current === result) return;
    revalidated.current = result;
    void revalidate();
  }, [result, revalidate]);
  return (
    <>
      {questions.map((question) => {
        const { asked, answered } = answerFieldNames(question);
        return (
          <div key={question}>
            <input type="hidden" name={asked} value={question} />
            <TextArea
              name={answered}
              label={question}
              required={required}
              maxLength={1000}
              rows={2}
              dir="auto"
            />
          </div>
        );
      })}
      {orphanedAnswers(typed, questions).map(({ question, answer }) => (
        <Field key={question} name={answerFieldNames(question).asked} label={question}>
          {({ id }) => <textarea id={id} readOnly rows={2} dir="auto" value={answer} className="input" />}
        </Field>
      ))}
    </>
  );
}
