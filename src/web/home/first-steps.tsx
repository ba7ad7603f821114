import { House, MessagesSquare, UserPlus, UserRound, Users } from "lucide-react";
import type { ComponentType } from "react";
import type { SidebarRow } from "#community/discussions";
import { useRoot } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { soundsLikeHello } from "./say-hello.ts";
import { Link } from "../ui/link.tsx";

type Step = { to: string; Icon: ComponentType<{ size?: number; strokeWidth?: number; className?: string }>; name: string; why: string };

type Props = {
  /** The introduction discussion that an admin has chosen. */
  introductions: string | null;
  discussions: SidebarRow[];
  mayCreate: boolean;
  setsUp: boolean;
};

/** First steps for new members: three of them. In an empty community, steps to start something. */
export function FirstSteps({ introductions, discussions, mayCreate, setsUp }: Props) {
  const t = useWords();
  const { me } = useRoot();
  const self: Step = {
    to: me ? urls.settings(me.id) : urls.home(),
    Icon: UserRound,
    name: t("Say who you are"),
    why: t("A name, a photo, a sentence in your profile."),
  };
  const { name, found, invite } = useBeginning();
  if (discussions.length === 0 && mayCreate) return <Steps steps={[setsUp ? name : self, found, invite]} />;
  const hello = introductions ?? discussions.find(soundsLikeHello)?.id;
  return (
    <Steps
      steps={[
        { to: urls.groups({ tab: "discover" }), Icon: Users, name: t("Find a group"), why: t("Join one and its discussions appear here.") },
        self,
        {
          to: hello ? urls.discussion(hello) : urls.discussions(),
          Icon: MessagesSquare,
          name: t("Say hello"),
          why: t("Read what people talk about, and answer somebody."),
        },
      ]}
    />
  );
}

function useBeginning(): Record<"name" | "found" | "invite", Step> {
  const t = useWords();
  return {
    name: {
      to: urls.siteSettings(),
      Icon: House,
      name: t("Give the place a name"),
      why: t("And a sentence, a word of welcome, its rules."),
    },
    found: {
      to: urls.newGroup(),
      Icon: Users,
      name: t("Found the first group"),
      why: t("Discussions happen in groups. One is enough to begin."),
    },
    invite: {
      to: `${urls.friends()}#invite-friends`,
      Icon: UserPlus,
      name: t("Invite people"),
      why: t("Make a link, and send it to whom you want here."),
    },
  };
}

function Steps({ steps }: { steps: Step[] }) {
  const t = useWords();
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
