import type { KeptOut } from "#community/groups";
import { Act } from "../../people/act.tsx";
import { PersonRow } from "../../people/person-row.tsx";
import { Time } from "../../ui/index.ts";
import { Rich, useWords } from "../../words/index.ts";

/** Who is kept out, why and until when. */
export function KeptOutList({ keptOut }: { keptOut: KeptOut[] }) {
  const t = useWords();
  if (keptOut.length === 0) return null;
  return (
    <section aria-labelledby="kept-out" className="mt-8">
      <h2 id="kept-out" className="mb-1 text-large font-semibold">
        {t("Kept out")}
      </h2>
      <ul>
        {keptOut.map(({ person, reason, until }) => (
          <PersonRow
            key={person.id}
            person={person}
            line={until ? <Rich text="ends <0></0>" parts={[<Time at={until} />]} /> : t("Until it is lifted")}
            note={reason}
            actions={
              <Act
                intent="lift"
                fields={{ personId: person.id }}
                busy={t("Saving…")}
                label={t("Let come back: {name}", { name: person.name })}
              >
                {t("Let come back")}
              </Act>
            }
          />
        ))}
      </ul>
    </section>
  );
}
