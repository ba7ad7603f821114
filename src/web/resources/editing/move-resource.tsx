import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { AudienceChange } from "../../groups/audience-change.tsx";
import { Button, SelectField, SubmitButton, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { MoveTargets } from "./move-targets.ts";

type Props = {
  resource: { id: string; group: Parameters<typeof AudienceChange>[0]["now"]; audience: "group" | "members" };
  move: MoveTargets;
  own: boolean;
};

/** Moves a resource in two steps: choosing the destination, then confirming who will see it there. */
export function MoveResource({ resource, move: { groups, everybody, chosen }, own }: Props) {
  const t = useTranslate();
  return (
    <section aria-labelledby="move" className="mt-10 grid gap-4 border-t border-line pt-6">
      <h2 id="move" className="text-large font-semibold">
        {t("Move resource")}
      </h2>
      <Form
        method="get"
        action={`${urls.editResource(resource.id)}#move`}
        className="grid gap-4"
        preventScrollReset
      >
        <p className="text-quiet">{t("The resource keeps its address, versions, files and comments.")}</p>
        <SelectField name="to" label={t("Location")} defaultValue={chosen?.to} key={chosen?.to}>
          {everybody && <option value="everybody">{t("Whole community")}</option>}
          {groups.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
        <p>
          <Button type="submit">{t("Check who can find it there")}</Button>
        </p>
      </Form>
      {chosen && (
        <Form method="post" className="grid gap-4">
          <input type="hidden" name="intent" value="move" />
          <input type="hidden" name="groupId" value={chosen.group?.id ?? ""} />
          <input type="hidden" name="visibility" value={chosen.group?.visibility ?? "everybody"} />
          <AudienceChange now={resource.group} among={resource.audience} then={chosen.group} />
          <TextField
            name="reason"
            label={own ? t("Reason (optional)") : t("Reason")}
            hint={t("Shown in the group's log.")}
            required={!own}
            maxLength={LIMITS.reason}
            dir="auto"
            autoComplete="off"
          />
          <p>
            <SubmitButton busy={t("Moving…")}>
              {chosen.group
                ? t("Move to {group}", { group: chosen.group.name })
                : t("Move to the community's library")}
            </SubmitButton>
          </p>
        </Form>
      )}
    </section>
  );
}
