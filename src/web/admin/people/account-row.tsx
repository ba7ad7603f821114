import type { AccountEntry } from "#community/accounts";
import { ActionForm } from "../../people/action-form.tsx";
import { Avatar, ButtonLink, Tag, Time } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { useRoleLabels, useAccountStateLabels } from "./account-labels.ts";

/** Reason given for joining: an excerpt that can be expanded. */
function JoinReason({ words }: { words: string }) {
  const t = useTranslate();
  return (
    <section aria-label={t("Reason for joining")} className="mt-1 max-w-measure">
      {words.length <= EXCERPT_LENGTH ? (
        <p dir="auto" className="break-words whitespace-pre-line">
          {words}
        </p>
      ) : (
        <details className="group">
          <summary>
            <span
              dir="auto"
              className="line-clamp-3 break-words whitespace-pre-line group-open:line-clamp-none"
            >
              {words}
            </span>
          </summary>
        </details>
      )}
    </section>
  );
}
const EXCERPT_LENGTH = 160;

/**
 * `address`: the full email address, if it was just revealed. `open`: URL of the account's notes, and of its
 * forms for viewers who can change it; null for the viewer's own account.
 */
type AccountRowProps = {
  it: AccountEntry;
  address: string | null;
  open: string | null;
  canChange: boolean;
};

/** An account in the list. */
export function AccountRow({ it, address, open, canChange }: AccountRowProps) {
  const t = useTranslate();
  const states = useAccountStateLabels();
  const roles = useRoleLabels();
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-line py-3">
      <Avatar person={it} size={40} />
      <div className="min-w-0 flex-1 basis-52">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link to={urls.person(it.id)} dir="auto" className="font-semibold break-words">
            {it.name}
          </Link>
          {it.role !== "member" && <Tag>{roles[it.role]}</Tag>}
          {it.state !== "active" && <Tag>{states[it.state]}</Tag>}
        </p>
        <p className="text-small break-all text-quiet">
          <bdi>@{it.username}</bdi>
          {it.address && (
            <>
              {" · "}
              <bdi>{address ?? it.address}</bdi>
            </>
          )}
        </p>
        <p className="text-small text-quiet">
          <Rich text="Joined <0></0>" parts={{ 0: <Time at={it.joinedAt} /> }} />
          {it.seenAt && (
            <>
              {" · "}
              <Rich text="last seen <0></0>" parts={{ 0: <Time at={it.seenAt} /> }} />
            </>
          )}
          {it.until && (
            <>
              {" · "}
              <Rich text="ends <0></0>" parts={{ 0: <Time at={it.until} /> }} />
            </>
          )}
        </p>
        {it.lacksProof && <p className="text-small">{t("Registered without proof of work")}</p>}
        {it.joinReason && <JoinReason words={it.joinReason} />}
        {it.reason && (
          <p dir="auto" className="text-small break-words">
            {it.reason}
          </p>
        )}
      </div>
      {it.state === "pending_approval" && (
        <ActionForm
          intent="approve"
          fields={{ personId: it.id }}
          kind="primary"
          busy={t("Approving…")}
          label={t("Approve {name}", { name: it.name })}
        >
          {t("Approve")}
        </ActionForm>
      )}
      {it.address && !address && it.canDecide && (
        <ActionForm
          intent="address"
          fields={{ personId: it.id }}
          kind="quiet"
          busy={t("Requesting…")}
          label={t("Show email of {name} (this is logged)", { name: it.name })}
        >
          {t("Show email")}
        </ActionForm>
      )}
      {open && (
        <ButtonLink
          to={open}
          aria-label={
            canChange
              ? t("Manage account of {name}", { name: it.name })
              : t("Notes on {name}", { name: it.name })
          }
        >
          {canChange ? t("Manage…") : t("Notes")}
        </ButtonLink>
      )}
    </li>
  );
}
