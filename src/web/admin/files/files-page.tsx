import { Link, redirect } from "react-router";
import { findFile, listFileGrants, listFiles, type FilePath, parsePath, getFileUsage } from "#baas/files";
import { listCustomRoles, SYSTEM_ROLES } from "#community/accounts";
import { notFound } from "#platform/refusal";
import type { Viewer } from "#community/rules";
import { readQueryParam, chooseAction } from "../../form-parsing.ts";
import type { WebContext } from "../../web-context.ts";
import { useFormatSize } from "../../resources/library/resource-kinds.tsx";
import { PageHeader, pageMeta, RefusalNotice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/files-page";
import { FileForms, NewDirectoryEntryForms } from "./file-forms.tsx";
import { FileList } from "./file-list.tsx";
import { FilePermissions } from "./file-permissions.tsx";
import { receiveApiFiles } from "./receive-api-files.ts";
import { SERVER_CALLER } from "#baas/data";
import { FILE_COMMANDS } from "./file-commands.ts";
import { formatFilePath } from "./format-file-path.ts";
import { assertAdmin, auditAdminAction } from "../admin-access.ts";

/** Entries per page of a directory. */
const PAGE = 50;

export const loader = defineLoader(async ({ db, app, viewer, url }) => {
  assertAdmin(viewer);
  const path = parsePath(readQueryParam(url, "path", 2_000));
  const node = await findFile(app.files, SERVER_CALLER, path);
  const offset = Math.min(Math.max(Number(readQueryParam(url, "from", 6)) || 0, 0), 100_000);
  const isFile = node?.kind === "file";
  const entries = isFile ? [] : await listFiles(app.files, SERVER_CALLER, path, { most: PAGE + 1, offset });
  const { appId, clientKey } = app.publicConfig;
  return {
    path,
    node: node && {
      name: node.name,
      kind: node.kind,
      size: node.size,
      mime: node.mime,
      updatedAt: node.updatedAt,
    },
    publicUrl: isFile ? `/${appId}/${clientKey}/files/${path.map(encodeURIComponent).join("/")}` : null,
    entries: entries
      .slice(0, PAGE)
      .map(({ name, kind, size, updatedAt }) => ({ name, kind, size, updatedAt })),
    before: offset > 0 ? Math.max(offset - PAGE, 0) : null,
    after: entries.length > PAGE ? offset + PAGE : null,
    grants: await listFileGrants(app.files, SERVER_CALLER, path),
    roles: [...SYSTEM_ROLES, ...(await listCustomRoles(db, viewer)).map(({ name }) => name)],
    used: await getFileUsage(app.files),
    room: await app.files.rules(),
  };
});

export type FilesData = Awaited<ReturnType<typeof loader>>;

/** Files are not read into memory with the rest of the form, but streamed into storage. */
export const action = defineAction(
  async ({ app, viewer, form, url }) => {
    assertAdmin(viewer);
    const path = parsePath(readQueryParam(url, "path", 2_000));
    // `receiveApiFiles` has set `sent`, and has already stored the files.
    if (form.has("sent")) return redirect(urls.programFiles({ path: formatFilePath(path) }));
    const intent = String(form.get("intent"));
    const verb = chooseAction(FILE_COMMANDS, form);
    const next = await verb(app.files, path, form);
    await auditAdminAction(app, viewer, `file.${intent}`, `/${path.join("/")}`.slice(0, 200));
    return redirect(urls.programFiles({ path: formatFilePath(next) }));
  },
  async ({ app, viewer, request, url }) =>
    receiveForm(app, viewer, request, parsePath(readQueryParam(url, "path", 2_000))),
);

async function receiveForm(
  app: Pick<WebContext, "database" | "files">,
  viewer: Viewer,
  request: Request,
  path: FilePath,
): Promise<FormData> {
  assertAdmin(viewer);
  const brings = (request.headers.get("content-type") ?? "").startsWith("multipart/form-data");
  if (brings && (await findFile(app.files, SERVER_CALLER, path))?.kind === "file") throw notFound();
  const form = await receiveApiFiles(app, path, request);
  if (brings) await auditAdminAction(app, viewer, "file.upload", `/${path.join("/")}`.slice(0, 200));
  return form;
}

export const meta = pageMeta<FilesData>((data, t) => ({
  title: data?.path.at(-1) ?? t("Files"),
  hidden: true,
}));

export default function FilesPage({ loaderData: data }: Route.ComponentProps) {
  const t = useTranslate();
  const { path, node, used, room } = data;
  const size = useFormatSize();
  // React key that resets the forms when the path or its entry changes.
  const at = `/${path.join("/")}`;
  return (
    <>
      <PageHeader
        title={node ? <bdi dir="auto">{node.name}</bdi> : t("Files")}
        lead={
          node
            ? undefined
            : t(
                "{used} of {room} used, by {count, plural, one {# file or directory} other {# files and directories}}.",
                {
                  used: size(used.bytes),
                  room: size(room.roomBytes),
                  count: used.count,
                },
              )
        }
      />
      <Breadcrumbs path={path} />
      <RefusalNotice />
      {node?.kind !== "file" && <FileList data={data} />}
      {node?.kind !== "file" && <NewDirectoryEntryForms key={`new ${used.count} ${at}`} />}
      <FileForms key={`itself ${at}`} data={data} />
      <FilePermissions key={`access ${data.grants.length} ${at}`} data={data} />
    </>
  );
}

function Breadcrumbs({ path }: { path: FilePath }) {
  const t = useTranslate();
  if (path.length === 0) return null;
  return (
    <nav aria-label={t("Location")} className="mb-4 text-small break-words">
      <Link to={urls.programFiles()}>{t("Files")}</Link>
      {path.slice(0, -1).map((name, at) => (
        <span key={path.slice(0, at + 1).join("/")}>
          {" / "}
          <Link to={urls.programFiles({ path: formatFilePath(path.slice(0, at + 1)) })}>
            <bdi dir="auto">{name}</bdi>
          </Link>
        </span>
      ))}
    </nav>
  );
}
