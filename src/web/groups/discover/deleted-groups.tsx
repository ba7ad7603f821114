import type { DeletedGroup } from "#community/groups";
import { ActionForm } from "../../people/action-form.tsx";
import { Time } from "../../ui/index.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";

/** Deleted groups that the viewer can restore, each with the deadline. */
export function DeletedGroups({ groups }: { groups: DeletedGroup[] }) {
  const t = useTranslate();
  return (
    <section className="mt-8" aria-labelledby="deleted">
      <h2 id="deleted" className="mb-1 text-large font-semibold">
        {t("Deleted groups")}
      </h2>
      <ul>
        {groups.map(({ id, name, until }) => (
          <li
            key={id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line py-3
              last:border-b-0"
          >
            <span>
              <strong dir="auto">{name}</strong>{" "}
              <span className="text-small text-quiet">
                <Rich text="will be erased <0></0>" parts={{ 0: <Time at={until} /> }} />
              </span>
            </span>
            <ActionForm
              intent="restore"
              fields={{ groupId: id }}
              busy={t("Restoring…")}
              label={t("Restore {name}", { name })}
            >
              {t("Restore")}
            </ActionForm>
          </li>
        ))}
      </ul>
    </section>
  );
}
