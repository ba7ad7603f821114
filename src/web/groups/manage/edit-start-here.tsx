import type { StartItemView } from "#community/groups";
import { LIMITS } from "#community/rules";
import { EmptyState, FormErrors } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { OrderedItem, AddByAddress } from "../ordered-list.tsx";

/** Edits the recommended reading for new members and its order. */
export function EditStartHere({ items }: { items: StartItemView[] }) {
  const t = useTranslate();
  return (
    <>
      <h2 className="sr-only">{t("Start here")}</h2>
      {items.length === 0 && (
        <EmptyState title={t("No items yet.")}>
          {t("Shown on top of the group: a welcome, a plan, texts that every member should know.")}
        </EmptyState>
      )}
      <ol>
        {items.map(({ id, kind, targetId, title }, index) => (
          <OrderedItem
            key={id}
            title={title}
            to={kind === "discussion" ? urls.discussion(targetId) : urls.resource(targetId)}
            fields={{ itemId: id }}
            intents={{ move: "move-start-item", take: "remove-start-item" }}
            first={index === 0}
            last={index === items.length - 1}
          />
        ))}
      </ol>
      {items.length < LIMITS.startItems && (
        <AddByAddress
          intent="add-start-item"
          count={items.length}
          label={t("Link of a discussion or resource")}
          hint={t("Copy it from the browser, or use “Add to Start here” in a discussion's menu.")}
          faults={<FormErrors />}
        />
      )}
    </>
  );
}
