import type { Invitation } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { PersonLink, Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";

/** An invitation and its state. */
export function InvitationRow({ row }: { row: Invitation }) {
  const t = useTranslate();
  const states: Record<Invitation["state"], string> = {
    open:
      row.kind === "link" ? t("{uses} of {most} uses", { uses: row.uses, most: row.mostUses }) : t("pending"),
    used: t("accepted"),
    expired: t("expired"),
    revoked: t("revoked"),
    declined: t("declined"),
  };
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-3 last:border-b-0">
      <div className="min-w-0 flex-1 basis-60">
        <p>
          {row.person ? (
            <PersonLink person={row.person} size={24} />
          ) : (
            <strong dir="auto" className="block truncate">
              {row.email ?? t("Invite link")}
            </strong>
          )}
        </p>
        <p className="text-small text-quiet">
          {states[row.state]}
          {row.kind !== "person" && (
            <> · {row.entry === "join" ? t("joins directly") : t("needs approval")}</>
          )}
          {row.state === "open" && (
            <>
              {" · "}
              <Rich text="ends <0></0>" parts={{ 0: <Time at={row.expiresAt} /> }} />
            </>
          )}
          {row.by && <> · {t("by {name}", { name: row.by.name })}</>}
        </p>
      </div>
      {row.state === "open" && (
        <ActionForm intent="revoke" fields={{ invitationId: row.id }} busy={t("Saving…")}>
          {t("Revoke")}
        </ActionForm>
      )}
    </li>
  );
}
