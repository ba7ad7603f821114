import { Form, redirect } from "react-router";
import {
  appointHeir,
  declineHeir,
  groupsDesk,
  letGroupIn,
  OnSomebody,
  type OrphanedGroup,
  type PendingGroup,
  Turning,
  turnGroupDown,
} from "#community/groups";
import { LIMITS, type Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { notFound } from "#platform/refusal";
import { z } from "zod";
import { membersOnly } from "../auth.ts";
import { parseForm } from "../forms.ts";
import { Act } from "../people/act.tsx";
import { Empty, Menu, PageHead, pageMeta, PersonLink, RefusalNotice, SubmitButton, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import type { Route } from "./+types/desk";
import { useGroupWords } from "./words.ts";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer }) => groupsDesk(db, viewer));

const GroupOnly = z.object({ groupId: z.string() });
const DEEDS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<void>> = {
  "let-in": (tx, viewer, form) => letGroupIn(tx, viewer, parseForm(GroupOnly, form)),
  "turn-down": (tx, viewer, form) => turnGroupDown(tx, viewer, parseForm(Turning, form)),
  appoint: (tx, viewer, form) => appointHeir(tx, viewer, parseForm(OnSomebody, form)),
  leave: (tx, viewer, form) => declineHeir(tx, viewer, parseForm(GroupOnly, form)),
};

export const action = acting(async ({ house, viewer, form }) => {
  const intent = String(form.get("intent"));
  const deed = Object.hasOwn(DEEDS, intent) ? DEEDS[intent] : undefined;
  if (!deed) throw notFound();
  await house.database.inTransaction((tx) => deed(tx, viewer, form));
  return redirect(urls.groupsDesk());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Groups that wait"), hidden: true }));

export default function Desk({ loaderData: { pending, orphaned } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead title={t("Groups that wait")} lead={t("New groups to let in, and groups that ask for an owner.")} />
      <RefusalNotice />
      {pending.length + orphaned.length === 0 && <Empty title={t("Nothing is waiting.")} />}
      <ul className="grid gap-4">
        {pending.map((group) => (
          <Pending key={group.id} group={group} />
        ))}
        {orphaned.map((group) => (
          <Orphaned key={group.id} group={group} />
        ))}
      </ul>
    </>
  );
}

function Pending({ group }: { group: PendingGroup }) {
  const t = useWords();
  const { door } = useGroupWords();
  const field = `reason-${group.id}`;
  return (
    <li className="panel p-4">
      <h2 dir="auto" className="break-words font-serif text-large font-semibold">
        {group.name}
      </h2>
      <p className="flex flex-wrap items-center gap-x-2 text-small text-quiet">
        {door(group)} · <PersonLink person={group.owner} size={20} /> · <Time at={group.createdAt} />
      </p>
      {group.purpose && (
        <p dir="auto" className="mt-2 break-words">
          {group.purpose}
        </p>
      )}
      {group.rules.length > 0 && (
        <ol className="mt-2 list-decimal ps-6 text-quiet">
          {group.rules.map((rule) => (
            <li key={rule} dir="auto" className="break-words">
              {rule}
            </li>
          ))}
        </ol>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Act
          intent="let-in"
          fields={{ groupId: group.id }}
          kind="primary"
          busy={t("Letting in…")}
          label={t("Let in: {name}", { name: group.name })}
        >
          {t("Let in")}
        </Act>
        <Menu label={t("Turn down… {name}", { name: group.name })} summary={t("Turn down…")} kind="plain">
          <Form method="post" preventScrollReset className="grid w-64 gap-2 p-2">
            <input type="hidden" name="intent" value="turn-down" />
            <input type="hidden" name="groupId" value={group.id} />
            <label htmlFor={field} className="text-small text-quiet">
              {t("Reason, for {name} and the log", { name: group.owner.name })}
            </label>
            <input id={field} name="reason" required maxLength={LIMITS.reason} dir="auto" autoComplete="off" className="input" />
            <SubmitButton kind="danger" busy={t("Saving…")}>
              {t("Turn down")}
            </SubmitButton>
          </Form>
        </Menu>
      </div>
    </li>
  );
}

function Orphaned({ group }: { group: OrphanedGroup }) {
  const t = useWords();
  const field = `heir-${group.id}`;
  return (
    <li className="panel p-4">
      <h2 dir="auto" className="break-words font-serif text-large font-semibold">
        {group.name}
      </h2>
      <p className="text-quiet">
        {group.askedBy ? t("{name} asks for a new owner.", { name: group.askedBy.name }) : t("Its moderators ask for a new owner.")}{" "}
        {group.ownersSeenAt && <Rich text="An owner was last here <0></0>." parts={[<Time at={group.ownersSeenAt} />]} />}
      </p>
      <div className="mt-3 flex flex-wrap items-end gap-2">
        {group.moderators.length > 0 && (
          <Form method="post" className="flex flex-wrap items-end gap-2">
            <input type="hidden" name="intent" value="appoint" />
            <input type="hidden" name="groupId" value={group.id} />
            <span className="grid gap-1">
              <label htmlFor={field} className="text-small text-quiet">
                {t("Who takes over")}
              </label>
              <select id={field} name="personId" className="input">
                {group.moderators.map((person) => (
                  <option key={person.id} value={person.id}>
                    {person.name}
                  </option>
                ))}
              </select>
            </span>
            <SubmitButton busy={t("Saving…")}>{t("Appoint")}</SubmitButton>
          </Form>
        )}
        <Act intent="leave" fields={{ groupId: group.id }} busy={t("Saving…")}>
          {t("Leave it as it is")}
        </Act>
      </div>
    </li>
  );
}
