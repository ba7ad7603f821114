import { KeptText } from "../discussions/kept-text.tsx";
import { TextArea, useTyped } from "../ui/index.ts";
import { fieldsFor, leftOver } from "./answering.ts";

/** A field for each question of a group. What was answered to one that is not asked any more can still be read and copied. */
export function AnswerFields({ questions, required = false }: { questions: string[]; required?: boolean }) {
  const typed = useTyped();
  return (
    <>
      {questions.map((question) => {
        const { asked, answered } = fieldsFor(question);
        return (
          <div key={question}>
            <input type="hidden" name={asked} value={question} />
            <TextArea name={answered} label={question} required={required} maxLength={1000} rows={2} dir="auto" />
          </div>
        );
      })}
      {leftOver(typed, questions).map(({ question, answer }) => (
        <KeptText key={question} label={question} text={answer} />
      ))}
    </>
  );
}
