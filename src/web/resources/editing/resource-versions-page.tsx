import { Form, redirect } from "react-router";
import {
  getResource,
  restoreVersion,
  type Version,
  getVersion,
  listVersions,
  VersionRestore,
} from "#community/resources";
import { LIMITS, resourceRules } from "#community/rules";
import { TextDiff } from "../../discussions/posts/text-diff.tsx";
import { diffTexts } from "../../discussions/posts/diff-texts.ts";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import {
  NextPageLink,
  PageHeader,
  pageMeta,
  PersonLink,
  Prose,
  RefusalNotice,
  SubmitButton,
  TextField,
  Time,
} from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader, addCacheTags } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/resource-versions-page";
import { useFormatSize } from "../library/resource-kinds.tsx";

/** Lists earlier versions of a document or file, each of which can be restored. */
export const loader = defineLoader(async ({ ctx, db, viewer, params, url }) => {
  const resource = await getResource(db, viewer, params["resourceId"] ?? "");
  const wanted = Number(readQueryParam(url, "version")) || null;
  const [page, one] = await Promise.all([
    listVersions(db, viewer, resource, { after: readQueryParam(url, "after") || undefined }),
    wanted === null ? null : getVersion(db, viewer, resource, wanted),
  ]);
  const { id, title, kind, language, version, changes, group } = resource;
  addCacheTags(ctx, "settings", `resource:${id}`, ...(group ? [`group:${group.id}`] : []), "people");
  const can = resourceRules.edit(viewer, resource) || resourceRules.amend(viewer, resource);
  return {
    resource: { id, title, kind, language, version, changes },
    ...page,
    one: one && {
      ...one,
      said: kind === "document" && one.before !== null ? diffTexts(one.before, one.bodyMd) : null,
    },
    can,
    needsReason: can && !resourceRules.edit(viewer, resource),
  };
});

export const action = defineAction(async ({ app, viewer, form, params }) => {
  form.set("resourceId", params["resourceId"] ?? "");
  const fields = parseForm(VersionRestore, form);
  await app.database.inTransaction((tx) => restoreVersion(tx, viewer, fields));
  return redirect(urls.resource(fields.resourceId));
});

type Data = Route.ComponentProps["loaderData"];

export const meta = pageMeta<Data>(({ resource }, t) => ({
  title: t("Versions of “{title}”", { title: resource.title }),
  hidden: true,
}));

export default function ResourceVersionsPage({
  loaderData: { resource, rows, next, one, can, needsReason },
}: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Earlier text")}
        lead={
          <Link to={urls.resource(resource.id)} dir="auto">
            {resource.title}
          </Link>
        }
      />
      <RefusalNotice />
      {one && <SelectedVersion one={one} resource={resource} canRestore={can} needsReason={needsReason} />}
      <h2 className="mt-6 text-large font-semibold">{t("Versions")}</h2>
      {rows.length === 0 && <p className="mt-1 text-quiet">{t("No earlier versions.")}</p>}
      <ol>
        {rows.map((row) => (
          <li key={row.version} className="border-b border-line py-3 last:border-b-0">
            <VersionRow row={row} resource={resource} />
          </li>
        ))}
      </ol>
      <NextPageLink to={next && urls.resourceVersions(resource.id, { after: next })} />
    </>
  );
}

function VersionRow({ row, resource }: { row: Version; resource: Data["resource"] }) {
  const t = useTranslate();
  const size = useFormatSize();
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Link to={urls.resourceVersions(resource.id, { version: row.version })} className="font-semibold">
          {t("Version {number}", { number: row.version })}
        </Link>
        {row.version === resource.version && <span className="tag">{t("current")}</span>}
        {row.by && <PersonLink person={row.by} size={24} />}
        <span className="text-small text-quiet">
          <Time at={row.at} />
        </span>
      </p>
      {row.file && (
        <p dir="auto" className="text-small break-all text-quiet">
          {row.file.fileName} · {size(row.file.size)}
        </p>
      )}
      {row.restoredFrom !== null && (
        <p className="text-quiet">{t("Restores version {number}.", { number: row.restoredFrom })}</p>
      )}
      {row.note && (
        <p dir="auto" className="break-words text-quiet">
          {row.note}
        </p>
      )}
    </>
  );
}

type SelectedVersionProps = {
  one: NonNullable<Data["one"]>;
  resource: Data["resource"];
  canRestore: boolean;
  needsReason: boolean;
};

function SelectedVersion({ one, resource, canRestore, needsReason }: SelectedVersionProps) {
  const t = useTranslate();
  return (
    <section aria-labelledby="version" className="panel p-5">
      <h2 id="version" className="font-serif text-large font-semibold">
        {t("Version {number}", { number: one.version })}
      </h2>
      {one.file && (
        <p className="mt-3">
          <a href={urls.file(one.file.id)} className="button">
            {t("Open file of this version")}
          </a>
        </p>
      )}
      {resource.kind === "document" && <Prose html={one.bodyHtml} lang={resource.language} />}
      {one.said && (
        <details className="mt-4 border-t border-line pt-3">
          <summary className="font-semibold">{t("Changes")}</summary>
          <p
            dir="auto"
            lang={resource.language}
            className="mt-2 max-w-measure break-words whitespace-pre-wrap"
          >
            <TextDiff changes={one.said} />
          </p>
        </details>
      )}
      {canRestore && one.version !== resource.version && (
        <Form method="post" className="mt-4 grid gap-3 border-t border-line pt-4">
          <input type="hidden" name="version" value={one.version} />
          <input type="hidden" name="changes" value={resource.changes} />
          {needsReason && (
            <TextField
              name="reason"
              label={t("Reason")}
              hint={t("The owner can read the reason.")}
              required
              maxLength={LIMITS.reason}
              dir="auto"
              autoComplete="off"
            />
          )}
          <p className="hint">{t("The current version is kept.")}</p>
          <div>
            <SubmitButton busy={t("Restoring…")}>{t("Restore this version")}</SubmitButton>
          </div>
        </Form>
      )}
    </section>
  );
}
