import type { ReactNode } from "react";
import { Form } from "react-router";
import type { PersonCard } from "#community/common";
import type { Group } from "#community/groups";
import { LIMITS } from "#community/rules";
import { SubmitButton } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { ManageContent } from "./manage-group-data.ts";
import { ExportGroup } from "./export-group.tsx";

type LifecycleProps = { group: Group; content: ManageContent<"end"> };

/** Archive, export, transfer or delete a group. */
export function GroupLifecycle({ group, content: { successors, exports } }: LifecycleProps) {
  const t = useTranslate();
  const archived = group.state === "archived";
  return (
    <div className="grid gap-6">
      {successors.length > 0 && <TransferOwnership successors={successors} />}
      {exports && (
        <LifecycleSection
          id="export"
          title={t("Export group")}
          lead={t(
            "A zip file of everything you can read in the group: description, rules, members by name, " +
              "discussions, library and files. Another Kith community can import it.",
          )}
        >
          <ExportGroup exports={exports} />
        </LifecycleSection>
      )}
      <LifecycleSection
        id="archive"
        title={archived ? t("Reopen") : t("Archive group")}
        lead={
          archived
            ? t("Members can post again, and people can join.")
            : t("The group stays readable. Nobody can post or join until you reopen it.")
        }
      >
        <ReasonForm intent={archived ? "unarchive" : "archive"} kind="plain">
          {archived ? t("Reopen group") : t("Archive group")}
        </ReasonForm>
      </LifecycleSection>
      <LifecycleSection
        id="delete"
        title={t("Delete group")}
        lead={t(
          "The group disappears for everyone, with all its content. You can restore it for 30 days " +
            "under Groups; then it is erased.",
        )}
      >
        <details>
          <summary className="button w-fit text-red">{t("Delete “{group}”…", { group: group.name })}</summary>
          <div className="mt-3">
            <ReasonForm intent="delete" kind="danger">
              {t("Delete {group}", { group: group.name })}
            </ReasonForm>
          </div>
        </details>
      </LifecycleSection>
    </div>
  );
}

const LifecycleSection = ({
  id,
  title,
  lead,
  children,
}: {
  id: string;
  title: string;
  lead: string;
  children: ReactNode;
}) => (
  <section aria-labelledby={id} className="panel p-4">
    <h2 id={id} className="text-large font-semibold">
      {title}
    </h2>
    <p className="mt-1 mb-3 max-w-measure text-quiet">{lead}</p>
    {children}
  </section>
);

function ReasonForm({
  intent,
  kind,
  children,
}: {
  intent: string;
  kind: "plain" | "danger";
  children: ReactNode;
}) {
  const t = useTranslate();
  return (
    <Form method="post" className="grid max-w-md gap-2">
      <input type="hidden" name="intent" value={intent} />
      <label htmlFor={`reason-${intent}`} className="text-small text-quiet">
        {t("Reason, for the group's log (optional)")}
      </label>
      <input
        id={`reason-${intent}`}
        name="reason"
        maxLength={LIMITS.reason}
        dir="auto"
        autoComplete="off"
        className="input"
      />
      <div>
        <SubmitButton kind={kind} busy={t("Saving…")}>
          {children}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** Form to transfer ownership. Moderators are listed first, longest membership on top. */
function TransferOwnership({ successors }: { successors: PersonCard[] }) {
  const t = useTranslate();
  return (
    <LifecycleSection
      id="transfer"
      title={t("Transfer group")}
      lead={t("Another member becomes owner; you stay as a moderator.")}
    >
      <Form method="post" className="grid max-w-md gap-2">
        <input type="hidden" name="intent" value="transfer" />
        <label htmlFor="next-owner" className="text-small text-quiet">
          {t("New owner")}
        </label>
        <select id="next-owner" name="personId" required className="input">
          {successors.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <div>
          <SubmitButton kind="plain" busy={t("Saving…")}>
            {t("Transfer")}
          </SubmitButton>
        </div>
      </Form>
    </LifecycleSection>
  );
}
