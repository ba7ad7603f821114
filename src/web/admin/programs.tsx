import { Form, redirect } from "react-router";
import { dropRole, giveRole, makeRole, ownRoles, takeRole } from "#community/people";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { asked, clean, verbIn } from "../forms.ts";
import { Act } from "../people/act.tsx";
import {
  Button,
  ButtonLink,
  Empty,
  FormFaults,
  PageHead,
  pageMeta,
  RefusalNotice,
  SelectField,
  SubmitButton,
  TextField,
} from "../ui/index.ts";
import { urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/programs";
import { assertAdmin, noted } from "./only-admins.ts";

export const handle = { asides: "none" };

export const loader = reading(async ({ db, house, viewer, visit, url }) => {
  assertAdmin(viewer);
  visit.headers["cache-control"] = "no-store";
  const shown = asked(url, "show") === "server-key";
  if (shown) await noted(house, viewer, "key.shown", "server");
  const { appId, clientKey, searchKey } = house.publicConfig;
  return {
    keys: { appId, clientKey, searchKey, serverKey: shown ? house.serverKey : null },
    origin: house.origin(),
    roles: await ownRoles(db, viewer),
  };
});

const line = (form: FormData, name: string) =>
  clean(String(form.get(name) ?? ""))
    .trim()
    .slice(0, 400);

/** Commands of this page, by the form's `intent`. */
const VERBS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>> = {
  make: (tx, viewer, form) => makeRole(tx, viewer, line(form, "name")),
  drop: (tx, viewer, form) => dropRole(tx, viewer, line(form, "role")),
  give: (tx, viewer, form) => giveRole(tx, viewer, { identity: line(form, "identity"), role: line(form, "role") }),
  take: (tx, viewer, form) => takeRole(tx, viewer, { identity: line(form, "identity"), role: line(form, "role") }),
};

export const action = acting(async ({ house, viewer, form }) => {
  assertAdmin(viewer);
  const verb = verbIn(VERBS, form);
  await house.database.inTransaction((tx) => verb(tx, viewer, form));
  return redirect(urls.programs());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Programs and their keys"), hidden: true }));

export default function ProgramsPage({ loaderData: { keys, origin, roles } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("Programs and their keys")}
        lead={t("What a client is configured with, and the roles by which tables say who may do what.")}
        actions={
          <>
            <ButtonLink to={urls.tables()}>{t("Tables of programs")}</ButtonLink>
            <ButtonLink to={urls.extensions()}>{t("Extensions")}</ButtonLink>
            <ButtonLink to={urls.flows()}>{t("Automations")}</ButtonLink>
            <ButtonLink to={urls.channels()}>{t("Channels")}</ButtonLink>
            <ButtonLink to={urls.push()}>{t("Devices and pushes")}</ButtonLink>
            <ButtonLink to={urls.programFiles()}>{t("Files of programs")}</ButtonLink>
            <ButtonLink to={urls.mailTemplates()}>{t("Mail of programs")}</ButtonLink>
          </>
        }
      />
      <RefusalNotice />
      <Keys keys={keys} origin={origin} />
      <Roles roles={roles} />
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

function Keys({ keys, origin }: Pick<Data, "keys" | "origin">) {
  const t = useWords();
  const lines = [
    [t("Server address"), origin],
    [t("Application id"), keys.appId],
    [t("Client key"), keys.clientKey],
    [t("Search key"), keys.searchKey],
  ];
  return (
    <section aria-labelledby="keys" className="border-t border-line py-6">
      <h2 id="keys" className="mb-3 font-serif text-large font-semibold">
        {t("Keys")}
      </h2>
      <dl className="grid gap-3">
        {lines.map(([label, value]) => (
          <div key={label}>
            <dt className="text-small text-quiet">{label}</dt>
            <dd dir="ltr" className="font-mono text-small break-all">
              {value}
            </dd>
          </div>
        ))}
        <div>
          <dt className="text-small text-quiet">{t("Server key")}</dt>
          {keys.serverKey ? (
            <dd dir="ltr" className="font-mono text-small break-all">
              {keys.serverKey}
            </dd>
          ) : (
            <dd className="mt-1">
              <ButtonLink to={urls.programs({ show: "server-key" })}>{t("Show the server key")}</ButtonLink>
            </dd>
          )}
        </div>
      </dl>
      <p className="mt-3 text-small text-quiet">
        {t("Whoever has the server key may do everything. It belongs on servers, never in an app.")}
      </p>
    </section>
  );
}

function Roles({ roles }: Pick<Data, "roles">) {
  const t = useWords();
  return (
    <section aria-labelledby="roles" className="border-t border-line py-6">
      <h2 id="roles" className="mb-3 font-serif text-large font-semibold">
        {t("Roles")}
      </h2>
      {roles.length === 0 && <Empty title={t("There are no roles of your own yet.")} />}
      <ul>
        {roles.map(({ name, people }) => (
          <li key={name} className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-2">
            <span className="min-w-0 break-words" dir="auto">
              {name}{" "}
              <span className="text-small text-quiet">{t("{count, plural, one {# person} other {# people}}", { count: people })}</span>
            </span>
            <Act intent="drop" fields={{ role: name }} kind="danger" busy="…" label={t("Remove the role {name}", { name })}>
              {t("Remove")}
            </Act>
          </li>
        ))}
      </ul>
      <Form method="post" className="mt-4 grid max-w-xl gap-3">
        <FormFaults />
        <input type="hidden" name="intent" value="make" />
        <TextField name="name" label={t("A new role")} hint={t("Letters, digits and underscores.")} required maxLength={64} dir="ltr" />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Make the role")}</SubmitButton>
        </div>
      </Form>
      {roles.length > 0 && (
        <Form method="post" className="mt-6 grid max-w-xl gap-3">
          <TextField name="identity" label={t("Somebody, by user name or mail address")} required maxLength={320} dir="auto" />
          <SelectField name="role" label={t("Role")}>
            {roles.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" name="intent" value="give" kind="primary">
              {t("Give the role")}
            </Button>
            <Button type="submit" name="intent" value="take">
              {t("Take the role")}
            </Button>
          </div>
        </Form>
      )}
    </section>
  );
}
