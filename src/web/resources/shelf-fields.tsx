import { LIMITS } from "#community/rules";
import { TextArea, TextField } from "../ui/index.ts";
import { useWords } from "../words/index.ts";

const LOW = { minHeight: "4rem" };

export function ShelfFields({ shelf }: { shelf?: { title: string; about: string } }) {
  const t = useWords();
  return (
    <>
      <TextField
        name="title"
        label={t("Name of the shelf")}
        required
        maxLength={LIMITS.shelves.title}
        dir="auto"
        autoComplete="off"
        defaultValue={shelf?.title}
      />
      <TextArea
        name="about"
        label={t("What stands on it (optional)")}
        rows={2}
        style={LOW}
        maxLength={LIMITS.shelves.about}
        dir="auto"
        defaultValue={shelf?.about}
      />
    </>
  );
}
