import { Form, redirect } from "react-router";
import { deleteRole, assignRole, createRole, listCustomRoles, unassignRole } from "#community/accounts";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { readQueryParam, cleanText, chooseAction } from "../form-parsing.ts";
import { ActionForm } from "../people/action-form.tsx";
import {
  Button,
  ButtonLink,
  EmptyState,
  FormErrors,
  PageHeader,
  pageMeta,
  RefusalNotice,
  SelectField,
  SubmitButton,
  TextField,
} from "../ui/index.ts";
import { urls } from "../urls.ts";
import { defineAction, defineLoader } from "../request-context.ts";
import { useTranslate } from "../i18n/index.ts";
import type { Route } from "./+types/api-keys-page";
import { assertAdmin, auditAdminAction } from "./admin-access.ts";

export const loader = defineLoader(async ({ db, app, viewer, ctx, url }) => {
  assertAdmin(viewer);
  ctx.headers["cache-control"] = "no-store";
  const shown = readQueryParam(url, "show") === "server-key";
  if (shown) await auditAdminAction(app, viewer, "key.shown", "server");
  const { appId, clientKey, searchKey } = app.publicConfig;
  return {
    keys: { appId, clientKey, searchKey, serverKey: shown ? app.serverKey : null },
    origin: app.origin(),
    roles: await listCustomRoles(db, viewer),
  };
});

const readLine = (form: FormData, name: string) =>
  cleanText(String(form.get(name) ?? ""))
    .trim()
    .slice(0, 400);

/** Commands of this page, by the form's `intent`. */
const API_KEY_COMMANDS: Record<string, (tx: Tx, viewer: Viewer, form: FormData) => Promise<unknown>> = {
  "create-role": (tx, viewer, form) => createRole(tx, viewer, readLine(form, "name")),
  "delete-role": (tx, viewer, form) => deleteRole(tx, viewer, readLine(form, "role")),
  "assign-role": (tx, viewer, form) =>
    assignRole(tx, viewer, { identity: readLine(form, "identity"), role: readLine(form, "role") }),
  "revoke-role": (tx, viewer, form) =>
    unassignRole(tx, viewer, { identity: readLine(form, "identity"), role: readLine(form, "role") }),
};

export const action = defineAction(async ({ app, viewer, form }) => {
  assertAdmin(viewer);
  const verb = chooseAction(API_KEY_COMMANDS, form);
  await app.database.inTransaction((tx) => verb(tx, viewer, form));
  return redirect(urls.programs());
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("API keys"),
  hidden: true,
}));

export default function ApiKeysPage({ loaderData: { keys, origin, roles } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("API keys")} lead={t("Keys for API clients, and roles for table permissions.")} />
      <RefusalNotice />
      <Keys keys={keys} origin={origin} />
      <Roles roles={roles} />
    </>
  );
}

type Data = Route.ComponentProps["loaderData"];

function Keys({ keys, origin }: Pick<Data, "keys" | "origin">) {
  const t = useTranslate();
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
        {t("The server key gives full access. Use it on servers only, never in an app.")}
      </p>
    </section>
  );
}

function Roles({ roles }: Pick<Data, "roles">) {
  const t = useTranslate();
  return (
    <section aria-labelledby="roles" className="border-t border-line py-6">
      <h2 id="roles" className="mb-3 font-serif text-large font-semibold">
        {t("Roles")}
      </h2>
      {roles.length === 0 && <EmptyState title={t("No custom roles yet.")} />}
      <ul>
        {roles.map(({ name, people }) => (
          <li
            key={name}
            className="flex flex-wrap items-center justify-between gap-2 border-b border-line py-2"
          >
            <span className="min-w-0 break-words" dir="auto">
              {name}{" "}
              <span className="text-small text-quiet">
                {t("{count, plural, one {# person} other {# people}}", { count: people })}
              </span>
            </span>
            <ActionForm
              intent="delete-role"
              fields={{ role: name }}
              kind="danger"
              busy="…"
              label={t("Delete role {name}", { name })}
            >
              {t("Delete")}
            </ActionForm>
          </li>
        ))}
      </ul>
      <Form method="post" className="mt-4 grid max-w-xl gap-3">
        <FormErrors />
        <input type="hidden" name="intent" value="create-role" />
        <TextField
          name="name"
          label={t("New role")}
          hint={t("Letters, digits and underscores.")}
          required
          maxLength={64}
          dir="ltr"
        />
        <div>
          <SubmitButton busy={t("Saving…")}>{t("Create role")}</SubmitButton>
        </div>
      </Form>
      {roles.length > 0 && (
        <Form method="post" className="mt-6 grid max-w-xl gap-3">
          <TextField
            name="identity"
            label={t("Username or email address")}
            required
            maxLength={320}
            dir="auto"
          />
          <SelectField name="role" label={t("Role")}>
            {roles.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
          <div className="flex flex-wrap gap-2">
            <Button type="submit" name="intent" value="assign-role" kind="primary">
              {t("Give role")}
            </Button>
            <Button type="submit" name="intent" value="revoke-role">
              {t("Revoke role")}
            </Button>
          </div>
        </Form>
      )}
    </section>
  );
}
