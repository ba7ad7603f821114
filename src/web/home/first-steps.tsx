import { MessagesSquare, UserRound, Users } from "lucide-react";
import type { ComponentType } from "react";
import type { SidebarRow } from "#community/discussions";
import { useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { Link } from "../ui/link.tsx";

type Step = { to: string; Icon: ComponentType<{ size?: number; strokeWidth?: number; className?: string }>; name: string; why: string };

/** For who has just come: three ways in. Saying hello leads to a discussion of introductions, if there is one. */
export function FirstSteps({ discussions }: { discussions: SidebarRow[] }) {
  const t = useWords();
  const { me } = useRoot();
  const hello = discussions.find(({ title }) => /introduc|hello|welcome/i.test(title));
  const steps: Step[] = [
    { to: urls.groups({ tab: "discover" }), Icon: Users, name: t("Find a group"), why: t("Join one and its discussions appear here.") },
    {
      to: me ? urls.settings(me.id) : urls.home(),
      Icon: UserRound,
      name: t("Say who you are"),
      why: t("A name, a photo, a sentence in your profile."),
    },
    {
      to: hello ? urls.discussion(hello.id) : urls.discussions(),
      Icon: MessagesSquare,
      name: t("Say hello"),
      why: t("Read what people talk about, and answer somebody."),
    },
  ];
  return (
    <section aria-label={t("First steps")} className="mb-6">
      <ul className="grid gap-3 phone:grid-cols-3">
        {steps.map(({ to, Icon, name, why }) => (
          <li key={name} className="panel relative p-4">
            <Icon size={22} strokeWidth={1.75} className="text-accent" />
            <h2 className="mt-2 font-serif text-read font-semibold">
              <Link to={to} className="text-ink after:absolute after:inset-0">
                {name}
              </Link>
            </h2>
            <p className="text-small text-quiet">{why}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
