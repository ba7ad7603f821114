import { UsernamesField } from "../../composer/usernames-field.tsx";
import type { Suggestion } from "../../composer/mention-suggestions.tsx";
import { LIMITS } from "#community/rules";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/**
 * Hosts of an event, by their usernames. `groupId` is null in a form in which the group is chosen; the field
 * then names further hosts beside the author.
 */
export function HostsField({ groupId, hosts = [] }: { groupId: string | null; hosts?: string[] }) {
  const t = useTranslate();
  const isNew = groupId === null;
  return (
    <UsernamesField
      name="hosts"
      label={isNew ? t("Other hosts (optional)") : t("Hosts")}
      hint={t(
        "Usernames of members, separated by commas. Hosts can edit and cancel the event and check people in. " +
          "At most {count, number}.",
        { count: isNew ? LIMITS.event.hosts - 1 : LIMITS.event.hosts },
      )}
      defaultValue={hosts.join(", ")}
      required={!isNew}
      listLabel={t("Members")}
      ask={(typed, field) => urls.whoCanBeCalled(`group:${groupId ?? chosenGroup(field)}`, typed)}
      as={(found, typed) => found.filter(isPerson).filter(({ name }) => name !== typed.toLowerCase())}
    />
  );
}

const isPerson = (it: unknown): it is Suggestion =>
  typeof it === "object" && it !== null && "name" in it && !("isGroup" in it && it.isGroup === true);

function chosenGroup({ form }: HTMLInputElement): string {
  const chosen = form?.elements.namedItem("groupId");
  return chosen instanceof HTMLSelectElement ? chosen.value : "";
}
