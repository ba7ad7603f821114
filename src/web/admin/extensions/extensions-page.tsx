import { type PartInfo, getTimerStates } from "#baas/extensions";
import { EmptyState, Notice, PageHeader, pageMeta } from "../../ui/index.ts";
import { defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/extensions-page";
import { ExtensionFile, type ExtensionPartView } from "./extension-file.tsx";
import { ExtensionErrors } from "./extension-errors.tsx";
import { assertAdmin } from "../admin-access.ts";

export const loader = defineLoader(async ({ app, viewer }) => {
  assertAdmin(viewer);
  const { folder, files, parts, faults, mishaps } = app.extensions.status;
  const timers = await getTimerStates(
    app.database,
    parts.flatMap((part) => (part.kind === "timer" ? part.name : [])),
  );
  const nameOfKey = (key: string) => {
    const known = parts.find((part) => part.key === key);
    return known ? partName(known) : key;
  };
  const shown = (part: PartInfo): ExtensionPartView => {
    const state = part.kind === "timer" ? timers.get(part.name) : undefined;
    const { key, kind, about } = part;
    return {
      key,
      kind,
      about,
      name: partName(part),
      at: part.kind === "timer" ? part.at : null,
      state: state ?? null,
    };
  };
  return {
    folder,
    files: files
      .map((file) => ({ file, parts: parts.filter((part) => part.file === file).map(shown) }))
      .filter((file) => file.parts.length > 0),
    faults,
    errors: mishaps.map(({ at, part, sentence }) => ({ at, part: nameOfKey(part), sentence })),
  };
});

/** Name under which the extension registers the service, event handler, timer or hook. */
function partName(part: PartInfo): string {
  if (part.kind === "service") return `${part.service}/${part.method}`;
  if (part.kind === "hook") return `${part.when} ${part.act} ${part.table}`;
  return part.kind === "event" ? part.event : part.name;
}

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Extensions"),
  hidden: true,
}));

export default function ExtensionsPage({
  loaderData: { folder, files, faults, errors },
}: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Extensions")}
        lead={t("Your own code that runs on this server: services, events, timers and hooks.")}
      />
      <p className="mb-4 text-small text-quiet">
        {t("Folder:")}{" "}
        <bdi dir="ltr" className="font-mono break-all">
          {folder}
        </bdi>
      </p>
      {faults.length > 0 && (
        <Notice tone="bad">
          <h2 className="font-semibold">{t("These files could not be loaded")}</h2>
          <ul className="mt-2 grid gap-1">
            {faults.map(({ file, sentence }) => (
              <li key={file + sentence} dir="ltr" className="font-mono text-small break-words">
                {file}: {sentence}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {files.length === 0 && faults.length === 0 && <EmptyState title={t("No extensions.")} />}
      {files.map((it) => (
        <ExtensionFile key={it.file} {...it} />
      ))}
      <ExtensionErrors errors={errors} />
    </>
  );
}
