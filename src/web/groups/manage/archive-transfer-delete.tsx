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
          id="take-along"
          title={t("Take the group along")}
          lead={t(
            "Everything that you read in it, as a zip that another Kith can bring in: what it says of itself, its rules, who is in it by name, its discussions, its library and its files.",
          )}
        >
          <ExportGroup exports={exports} />
        </LifecycleSection>
      )}
      <LifecycleSection
        id="archive"
        title={archived ? t("Open it again") : t("Archive the group")}
        lead={
          archived
            ? t("People write in it again, and can join.")
            : t("It can be read as before. Nobody writes in it, and nobody joins, until you open it again.")
        }
      >
        <ReasonForm intent={archived ? "unarchive" : "archive"} kind="plain">
          {archived ? t("Open the group again") : t("Archive the group")}
        </ReasonForm>
      </LifecycleSection>
      <LifecycleSection
        id="delete"
        title={t("Delete the group")}
        lead={t(
          "It is gone for everybody, with all that stands in it. For thirty days you find it under Groups and can bring it back; then it is gone for good.",
        )}
      >
        <details>
          <summary className="button w-fit text-red">{t("Delete “{group}”…", { group: group.name })}</summary>
          <div className="mt-3">
            <ReasonForm intent="delete" kind="danger">
              {t("Yes, delete {group}", { group: group.name })}
            </ReasonForm>
          </div>
        </details>
      </LifecycleSection>
    </div>
  );
}

const LifecycleSection = ({ id, title, lead, children }: { id: string; title: string; lead: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="panel p-4">
    <h2 id={id} className="text-large font-semibold">
      {title}
    </h2>
    <p className="mt-1 mb-3 max-w-measure text-quiet">{lead}</p>
    {children}
  </section>
);

function ReasonForm({ intent, kind, children }: { intent: string; kind: "plain" | "danger"; children: ReactNode }) {
  const t = useTranslate();
  return (
    <Form method="post" className="grid max-w-md gap-2">
      <input type="hidden" name="intent" value={intent} />
      <label htmlFor={`reason-${intent}`} className="text-small text-quiet">
        {t("Reason, for the log of the group (optional)")}
      </label>
      <input id={`reason-${intent}`} name="reason" maxLength={LIMITS.reason} dir="auto" autoComplete="off" className="input" />
      <div>
        <SubmitButton kind={kind} busy={t("Saving…")}>
          {children}
        </SubmitButton>
      </div>
    </Form>
  );
}

/** Moderators first, the longest-serving on top. */
function TransferOwnership({ successors }: { successors: PersonCard[] }) {
  const t = useTranslate();
  return (
    <LifecycleSection
      id="hand-over"
      title={t("Hand the group over")}
      lead={t("Somebody else becomes its owner, and you stay as a moderator.")}
    >
      <Form method="post" className="grid max-w-md gap-2">
        <input type="hidden" name="intent" value="hand-over" />
        <label htmlFor="next-owner" className="text-small text-quiet">
          {t("Who takes over")}
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
            {t("Hand over")}
          </SubmitButton>
        </div>
      </Form>
    </LifecycleSection>
  );
}
