import { Form } from "react-router";
import { PersonLink, SubmitButton, Time } from "../../ui/index.ts";
import { useWords } from "../../words/index.ts";
import type { PartProps } from "../settings.tsx";

export function Blocked({ data }: PartProps) {
  const t = useWords();
  const { blocked, saved } = data;
  return (
    <>
      <p role="status" className="text-accent empty:hidden">
        {saved === "unblock" && t("You no longer block them.")}
      </p>
      {blocked.length === 0 ? (
        <p className="text-quiet">
          {t(
            "You block nobody. Whom you block can neither write to you nor see your profile; they are not told. It is done on their profile.",
          )}
        </p>
      ) : (
        <ul className="border-t border-line">
          {blocked.map((person) => (
            <li key={person.id} className="flex items-center justify-between gap-3 border-b border-line py-2.5">
              <div className="min-w-0">
                <PersonLink person={person} />{" "}
                <p className="text-small text-quiet">
                  {t("since")} <Time at={person.since} />
                </p>
              </div>
              <Form method="post" preventScrollReset>
                <input type="hidden" name="intent" value="unblock" />
                <SubmitButton kind="plain" busy={t("One moment…")} name="id" value={person.id}>
                  {t("Unblock")}
                </SubmitButton>
              </Form>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
