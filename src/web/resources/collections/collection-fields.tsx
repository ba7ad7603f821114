import { LIMITS } from "#community/rules";
import { TextArea, TextField } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

const SHORT_FIELD = { minHeight: "4rem" };

export function CollectionFields({ collection }: { collection?: { title: string; about: string } }) {
  const t = useTranslate();
  return (
    <>
      <TextField
        name="title"
        label={t("Name")}
        required
        maxLength={LIMITS.collections.title}
        dir="auto"
        autoComplete="off"
        defaultValue={collection?.title}
      />
      <TextArea
        name="about"
        label={t("Description (optional)")}
        rows={2}
        style={SHORT_FIELD}
        maxLength={LIMITS.collections.about}
        dir="auto"
        defaultValue={collection?.about}
      />
    </>
  );
}
