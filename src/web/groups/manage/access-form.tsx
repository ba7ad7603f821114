import { Form } from "react-router";
import type { Group } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { FormErrors, Notice, SubmitButton, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { AccessFields } from "../access-fields.tsx";
import { useGroupTexts } from "../group-texts.ts";

/** Visibility, join policy and history policy, which owners decide. */
export function AccessForm({ group }: { group: Group }) {
  const t = useTranslate();
  const { door } = useGroupTexts();
  // Resets the form's choices to the stored ones once those have changed.
  const now = [group.visibility, group.joinPolicy, group.historyPolicy, group.opening?.at].join();
  return (
    <>
      {group.opening && (
        <div className="mb-5">
          <Notice tone="pending">
            <p className="mb-2">
              <Rich
                text="This group opens up <0></0>. It will be: {door}. Its members have been told."
                values={{ door: door(group.opening) }}
                parts={[<Time at={group.opening.at} />]}
              />
            </p>
            <ActionForm intent="stay" fields={{}} busy={t("Saving…")}>
              {t("Leave it as it is after all")}
            </ActionForm>
          </Notice>
        </div>
      )}
      <Form key={now} method="post" className="grid gap-5">
        <FormErrors />
        <AccessFields now={group} />
        <p className="text-quiet">
          {t(
            "Closing the door holds at once. Opening it wider holds in seven days, for what is written from then on: your members are told before, and what they wrote stays with them.",
          )}
        </p>
        <div>
          <SubmitButton name="intent" value="change" busy={t("Saving…")}>
            {t("Save")}
          </SubmitButton>
        </div>
      </Form>
    </>
  );
}
