import type { StartLine } from "#community/groups";
import { LIMITS } from "#community/rules";
import { Empty, FormFaults } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import { OrderedLine, PutByAddress } from "../ordered.tsx";

/** The recommended reading for new members, and its order. */
export function StartHere({ lines }: { lines: StartLine[] }) {
  const t = useWords();
  return (
    <>
      <h2 className="sr-only">{t("Start here")}</h2>
      {lines.length === 0 && (
        <Empty title={t("Nothing stands here yet.")}>
          {t("What you put here is shown on top of the group: a welcome, the plan, a text that everybody should know.")}
        </Empty>
      )}
      <ol>
        {lines.map(({ id, kind, targetId, title }, index) => (
          <OrderedLine
            key={id}
            title={title}
            to={kind === "discussion" ? urls.discussion(targetId) : urls.resource(targetId)}
            fields={{ itemId: id }}
            intents={{ move: "start-move", take: "start-take" }}
            first={index === 0}
            last={index === lines.length - 1}
          />
        ))}
      </ol>
      {lines.length < LIMITS.startItems && (
        <PutByAddress
          intent="start-put"
          count={lines.length}
          label={t("Address of a discussion or a resource")}
          hint={t("Copy it from the browser. Discussions have “Put under Start here” in their menu, too.")}
          faults={<FormFaults />}
        />
      )}
    </>
  );
}
