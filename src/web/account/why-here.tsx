import { TextArea } from "../ui/index.ts";
import { useWords } from "../words/index.ts";

/** What brings somebody here, for the human who lets them in. */
export function WhyHere() {
  const t = useWords();
  return (
    <TextArea
      name="reason"
      label={t("What brings you here?")}
      hint={t("A human reads this and answers. Two sentences are plenty.")}
      required
      maxLength={1000}
      rows={4}
      dir="auto"
    />
  );
}
