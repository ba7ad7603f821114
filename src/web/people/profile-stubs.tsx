import type { Onlooker } from "#community/friends";
import type { Profile } from "#community/people";
import { useLocation } from "react-router";
import { ButtonLink, Empty, useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { Act } from "./act.tsx";

/** Profile of a person the viewer blocks. */
export function BlockedStub({ person: { id, name } }: { person: Profile }) {
  const t = useWords();
  return (
    <>
      <h1 dir="auto" className="font-serif text-title font-semibold">
        {t("You blocked {name}", { name })}
      </h1>
      <p className="mt-1 max-w-measure text-quiet">
        {t("You do not see each other’s posts and profiles, and cannot write to each other. They were not told.")}
      </p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Act intent="unblock" fields={{ personId: id }} busy={t("Unblocking…")}>
          {t("Unblock")}
        </Act>
        <ButtonLink to={urls.reportPerson(id)}>{t("Report…")}</ButtonLink>
      </div>
    </>
  );
}

/** Profile of which the viewer may see only the name. */
export function ClosedProfile({ person: { name, state }, as }: { person: Profile; as: Onlooker | null }) {
  const t = useWords();
  const { me } = useRoot();
  const { pathname } = useLocation();
  if (state === "suspended")
    return (
      <div className="mt-6">
        <Empty title={t("This profile is not available at the moment.")} />
      </div>
    );
  if (!me || as === "guest")
    return (
      <div className="mt-6">
        <Empty
          title={t("{name} shows this profile to members only.", { name })}
          action={
            !as && (
              <ButtonLink kind="primary" to={urls.login({ next: pathname })} data-sign-in>
                {t("Sign in")}
              </ButtonLink>
            )
          }
        />
      </div>
    );
  return (
    <div className="mt-6">
      <Empty title={t("{name} shows this profile to friends only.", { name })} />
    </div>
  );
}

/** A deleted account: its posts stay without a name. */
export function FormerMember() {
  const t = useWords();
  return (
    <>
      <h1 className="font-serif text-title font-semibold">{t("Former member")}</h1>
      <p className="mt-1 max-w-measure text-quiet">
        {t("This account is closed, and what was said of this person is gone. What they wrote for others stays, unsigned.")}
      </p>
    </>
  );
}

/** Profile for guests, where the site hides people from them. */
export function NothingForGuests() {
  const t = useWords();
  return (
    <div className="mt-6">
      <Empty title={t("Guests do not see who is here. They are asked to sign in.")} />
    </div>
  );
}
