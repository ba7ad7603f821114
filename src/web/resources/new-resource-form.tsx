import { Form } from "react-router";
import type { Visibility } from "#community/rules";
import { LIMITS } from "#community/rules";
import { useGroupWords } from "../groups/words.ts";
import { SelectField, SubmitButton, TextArea, TextField } from "../ui/index.ts";
import { LOCALES, useWords } from "../words/index.ts";

type Props = {
  kind: "link" | "document";
  groups: { id: string; name: string; visibility: Visibility; membersCount: number }[];
  chosen: string;
  /** Whether the viewer may add this kind to the library of the whole community. */
  forEveryone: boolean;
  locale: string;
};

/** Room for a page, and for a sentence. */
const TALL = { minHeight: "24rem" };
const LOW = { minHeight: "4rem" };

export function NewResourceForm({ kind, groups, chosen, forEveryone, locale }: Props) {
  const t = useWords();
  return (
    <Form method="post" className="mt-5 grid gap-5">
      {kind === "link" && (
        <TextField
          name="url"
          type="url"
          inputMode="url"
          label={t("Address")}
          placeholder="https://"
          required
          maxLength={LIMITS.url}
          autoComplete="off"
        />
      )}
      <TextField name="title" label={t("Title")} required maxLength={200} dir="auto" autoComplete="off" />
      {kind === "document" && (
        <TextArea
          name="body"
          label={t("Text")}
          required
          style={TALL}
          maxLength={LIMITS.document}
          dir="auto"
          hint={t("Markdown: ## before a heading, * before a point, **bold**. Headings become the outline.")}
        />
      )}
      <TextArea
        name="why"
        label={t("Why it is worth it")}
        rows={2}
        style={LOW}
        maxLength={LIMITS.why}
        dir="auto"
        hint={t("One sentence for somebody who passes by.")}
      />
      <Audience groups={groups} chosen={chosen} forEveryone={forEveryone} />
      <TextField name="tags" label={t("Tags")} maxLength={150} autoComplete="off" hint={t("Up to five, with commas between them.")} />
      <div className="grid gap-5 phone:grid-cols-2">
        <SelectField name="language" label={t("Language")} defaultValue={locale}>
          {Object.entries(LOCALES).map(([code, name]) => (
            <option key={code} value={code} lang={code}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          name="licence"
          label={kind === "link" ? t("Licence or source (optional)") : t("Licence (optional)")}
          maxLength={80}
          autoComplete="off"
          placeholder="CC BY-SA 4.0"
        />
      </div>
      <div>
        <SubmitButton name="intent" value={kind} busy={t("Adding…")}>
          {t("Add to the library")}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** Each choice says who will see it. */
function Audience({ groups, chosen, forEveryone }: Pick<Props, "groups" | "chosen" | "forEveryone">) {
  const t = useWords();
  const { audience } = useGroupWords();
  if (!forEveryone && groups.length === 0)
    return (
      <p className="notice" data-tone="pending">
        <span>{t("Newcomers share links here first. Documents come once you have looked around a little, or in a group of yours.")}</span>
      </p>
    );
  return (
    <SelectField name="groupId" label={t("Where it belongs")} defaultValue={chosen || (forEveryone ? "" : groups[0]?.id)}>
      {forEveryone && (
        <option value="">
          {t("The whole community")} · {t("Visible to everyone, guests too")}
        </option>
      )}
      {groups.map((group) => (
        <option key={group.id} value={group.id}>
          {group.name} · {audience(group)}
        </option>
      ))}
    </SelectField>
  );
}
