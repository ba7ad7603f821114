import { Form } from "react-router";
import type { Group } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { FormErrors, Notice, SubmitButton, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { AccessFields } from "../access-fields.tsx";
import { useGroupTexts } from "../group-texts.ts";

/** Form for visibility, join policy and history policy; only owners have it. */
export function AccessForm({ group }: { group: Group }) {
  const t = useTranslate();
  const { access } = useGroupTexts();
  // React key that resets the form's choices when the stored ones change.
  const now = [group.visibility, group.joinPolicy, group.historyPolicy, group.opening?.at].join();
  return (
    <>
      {group.opening && (
        <div className="mb-5">
          <Notice tone="pending">
            <p className="mb-2">
              <Rich
                text="Visibility changes <0></0> to: {access}. Members have been notified."
                values={{ access: access(group.opening) }}
                parts={{ 0: <Time at={group.opening.at} /> }}
              />
            </p>
            <ActionForm intent="cancel-opening" fields={{}} busy={t("Saving…")}>
              {t("Cancel the change")}
            </ActionForm>
          </Notice>
        </div>
      )}
      <Form key={now} method="post" className="grid gap-5">
        <FormErrors />
        <AccessFields now={group} />
        <p className="text-quiet">
          {t(
            "Reducing visibility takes effect at once. Increasing it takes effect after 7 days, and " +
              "only for new posts; members are notified, and only they can read earlier posts.",
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
