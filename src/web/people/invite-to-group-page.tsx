import { redirect } from "react-router";
import { z } from "zod";
import { listGroups, listGroupsOfPerson, inviteToGroup } from "#community/groups";
import { getPerson } from "#community/accounts";
import { groupRules } from "#community/rules";
import { notFound } from "#platform/refusal";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam, parseForm } from "../form-parsing.ts";
import {
  ButtonLink,
  EmptyState,
  NextPageLink,
  Notice,
  PageHeader,
  pageMeta,
  RefusalNotice,
} from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/invite-to-group-page";
import { ActionForm } from "./action-form.tsx";

export const middleware = [requireMember];

/**
 * Lists the viewer's groups to which they may invite this person, except groups in which the person is
 * already a member.
 */
export const loader = defineLoader(async ({ db, viewer, params, url }) => {
  const person = await getPerson(db, viewer, params["id"] ?? "");
  if (person.isSelf || person.viewerBlocks || person.state === "erased") throw notFound();
  const [mine, theirs] = await Promise.all([
    listGroups(db, viewer, { tab: "mine", after: readQueryParam(url, "after", 500) }),
    listGroupsOfPerson(db, viewer, person.id, {}),
  ]);
  const shared = new Set(theirs.rows.filter((group) => group.viewerState === "member").map(({ id }) => id));
  const rows = mine.rows.filter((group) => groupRules.invite(viewer, group) && !shared.has(group.id));
  const invited = readQueryParam(url, "invited", 40);
  return {
    person: { id: person.id, name: person.name },
    rows: rows.map(({ id, name, purpose }) => ({ id, name, purpose })),
    next: mine.next,
    invited: mine.rows.find((group) => group.id === invited)?.name ?? null,
  };
});

const InviteInput = z.object({ groupId: z.uuid("Unknown value.") });

export const action = defineAction(async ({ db, app, viewer, form, params, url }) => {
  const { id } = await getPerson(db, viewer, params["id"] ?? "");
  const { groupId } = parseForm(InviteInput, form);
  await app.database.inTransaction((tx) => inviteToGroup(tx, viewer, { groupId, personId: id }));
  return redirect(urls.inviteToGroup(id, { invited: groupId, after: readQueryParam(url, "after", 500) }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ person }, t) => ({
  title: t("Invite {name} to a group", { name: person.name }),
  hidden: true,
}));

export default function InviteToGroup({ loaderData: { person, rows, next, invited } }: Route.ComponentProps) {
  const t = useTranslate();
  const { id, name } = person;
  return (
    <>
      <PageHeader
        title={t("Invite {name} to a group", { name })}
        lead={t("People see who invited them and join directly when they accept.")}
        actions={<ButtonLink to={urls.person(id)}>{t("Back to profile")}</ButtonLink>}
      />
      <RefusalNotice />
      {invited && (
        <div className="mb-4">
          <Notice tone="good">{t("{name} was invited to {group}.", { name, group: invited })}</Notice>
        </div>
      )}
      {rows.length === 0 && !next ? (
        <EmptyState
          title={t("You have no group to invite {name} to.", { name })}
          action={<ButtonLink to={urls.groups()}>{t("Your groups")}</ButtonLink>}
        />
      ) : (
        <ul className="border-t border-line">
          {rows.map((group) => (
            <li
              key={group.id}
              className="flex flex-wrap items-center justify-between gap-3 border-b border-line py-3"
            >
              <div className="min-w-0 flex-1 basis-56">
                <h2 dir="auto" className="font-serif text-read font-semibold break-words">
                  {group.name}
                </h2>
                <p dir="auto" className="text-small text-quiet">
                  {group.purpose}
                </p>
              </div>
              <ActionForm
                intent="invite"
                fields={{ groupId: group.id }}
                busy={t("Inviting…")}
                label={t("Invite {name} to {group}", { name, group: group.name })}
              >
                {t("Invite")}
              </ActionForm>
            </li>
          ))}
        </ul>
      )}
      <NextPageLink to={next && urls.inviteToGroup(id, { after: next })} />
    </>
  );
}
